import type { ClusterCreationPolicy } from "@butler/api";
import { describe, expect, it } from "vitest";
import { decideClusterCreationPolicy } from "./cluster-creation-policy.ts";
import { aPolicy, aTeam, type Traits } from "./testing/objects.ts";

const scope = (given: object, more: object = {}): Traits => ({ spec: { scope: given, ...more } });
const ofTeam = (name: string) => ({ team: { teamRef: { name } } });
const ofEnvironment = (environmentName: string) => ({
  teamAndEnvironment: { teamRef: { name: "payments" }, environmentName },
});
const image = (option: object): Traits => ({ spec: { options: { image: option } } });

/** As it could be stored by an API server whose schema is older than ours. */
const loose = ({ spec = {} }: Traits): ClusterCreationPolicy => {
  const whole = aPolicy({ metadata: { name: "tried" } });
  return { ...whole, spec: { ...whole.spec, ...spec } };
};

describe("a policy", () => {
  it.each<[string, Traits, ClusterCreationPolicy[], string?]>([
    ["for everybody", {}, []],
    ["for a team", scope(ofTeam("payments")), []],
    [
      "for a team that there is not",
      scope(ofTeam("gone")),
      [],
      "NOT_FOUND spec.scope.team.teamRef.name: there is no Team gone",
    ],
    ["for an environment", scope(ofEnvironment("dev")), []],
    [
      "for an environment that there is not",
      scope(ofEnvironment("qa")),
      [],
      "NOT_FOUND spec.scope.teamAndEnvironment.environmentName: team payments has no environment qa",
    ],
    ["for nobody", scope({}), [], "INVALID spec.scope"],
    ["for a team and everybody", scope({ clusterWide: {}, ...ofTeam("payments") }), [], "INVALID spec.scope"],
    [
      "that pins nothing",
      image({ mode: "pin" }),
      [],
      "INVALID spec.options.image: mode pin needs exactly one value and has 0",
    ],
    ["that pins two", image({ mode: "pin", values: ["a", "b"] }), [], "mode pin needs exactly one value and has 2"],
    ["that allows nothing", image({ mode: "allowList", values: [] }), [], "mode allowList needs at least one value"],
    ["that recommends nothing", image({ mode: "recommended" }), [], "mode recommended needs at least one value"],
    ["that preselects nothing", image({ mode: "default", default: "" }), [], "mode default needs the id to preselect"],
    [
      "beside one for the same",
      {},
      [aPolicy()],
      "DUPLICATE spec.options.image: ClusterCreationPolicy images has a rule",
    ],
    ["beside one for another option", { spec: { options: { network: { mode: "pin", values: ["a"] } } } }, [aPolicy()]],
    ["beside one for a team", {}, [aPolicy(scope(ofTeam("payments")))]],
    ["for a team beside one for another team", scope(ofTeam("payments")), [aPolicy(scope(ofTeam("web")))]],
    [
      "for a team beside one for the same",
      scope(ofTeam("payments")),
      [aPolicy(scope(ofTeam("payments")))],
      "DUPLICATE",
    ],
    ["for an environment beside one for another", scope(ofEnvironment("dev")), [aPolicy(scope(ofEnvironment("prod")))]],
    [
      "for an environment beside one for the same",
      scope(ofEnvironment("dev")),
      [aPolicy(scope(ofEnvironment("dev")))],
      "DUPLICATE",
    ],
    [
      "for a provider beside one for another",
      { spec: { targetProviders: ["harvester"] } },
      [aPolicy({ spec: { targetProviders: ["nutanix"] } })],
    ],
    ["for a provider beside one for all", { spec: { targetProviders: ["harvester"] } }, [aPolicy()], "DUPLICATE"],
    [
      "for two providers beside one for one of them",
      { spec: { targetProviders: ["harvester", "nutanix"] } },
      [aPolicy({ spec: { targetProviders: ["nutanix"] } })],
      "DUPLICATE",
    ],
    ["beside itself", {}, [aPolicy({ metadata: { name: "tried" } })]],
  ])("%s", (_what, traits, policies, refusal) => {
    const policy = loose(traits);
    const name = (policy.spec.scope.team ?? policy.spec.scope.teamAndEnvironment)?.teamRef.name;
    const team = name === "payments" ? aTeam() : undefined;
    const reasons = decideClusterCreationPolicy({ policy, before: undefined, team, policies });
    const texts = reasons.map(({ code, path, message }) => `${code} ${path}: ${message}`);
    if (refusal === undefined) expect(texts).toEqual([]);
    else {
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain(refusal);
    }
  });

  it("may be labelled although its team is gone", () => {
    const policy = loose(scope(ofTeam("gone")));
    expect(decideClusterCreationPolicy({ policy, before: policy, team: undefined, policies: [] })).toEqual([]);
  });
});
