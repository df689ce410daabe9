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

/** As an API server with an older schema could have stored it. */
const loose = ({ spec = {} }: Traits): ClusterCreationPolicy => {
  const whole = aPolicy({ metadata: { name: "tried" } });
  return { ...whole, spec: { ...whole.spec, ...spec } };
};

describe("a policy", () => {
  it.each<[string, Traits, ClusterCreationPolicy[], string?]>([
    ["for all teams", {}, []],
    ["for a team", scope(ofTeam("payments")), []],
    ["for a missing team", scope(ofTeam("gone")), [], "NOT_FOUND spec.scope.team.teamRef.name: Team gone not found"],
    ["for an environment", scope(ofEnvironment("dev")), []],
    [
      "for a missing environment",
      scope(ofEnvironment("qa")),
      [],
      "NOT_FOUND spec.scope.teamAndEnvironment.environmentName: team payments has no environment qa",
    ],
    ["without a scope", scope({}), [], "INVALID spec.scope"],
    ["for a team and all teams", scope({ clusterWide: {}, ...ofTeam("payments") }), [], "INVALID spec.scope"],
    [
      "that pins nothing",
      image({ mode: "pin" }),
      [],
      "INVALID spec.options.image: mode pin requires exactly one value, got 0",
    ],
    ["that pins two", image({ mode: "pin", values: ["a", "b"] }), [], "mode pin requires exactly one value, got 2"],
    ["that allows nothing", image({ mode: "allowList", values: [] }), [], "mode allowList requires at least one value"],
    ["that recommends nothing", image({ mode: "recommended" }), [], "mode recommended requires at least one value"],
    [
      "that preselects nothing",
      image({ mode: "default", default: "" }),
      [],
      "mode default requires the ID of the default option",
    ],
    [
      "with an existing one for the same option",
      {},
      [aPolicy()],
      "DUPLICATE spec.options.image: ClusterCreationPolicy images has a rule",
    ],
    ["beside one for another option", { spec: { options: { network: { mode: "pin", values: ["a"] } } } }, [aPolicy()]],
    ["beside one for a team", {}, [aPolicy(scope(ofTeam("payments")))]],
    ["for a team beside one for another team", scope(ofTeam("payments")), [aPolicy(scope(ofTeam("web")))]],
    [
      "for a team with an existing one for the same option",
      scope(ofTeam("payments")),
      [aPolicy(scope(ofTeam("payments")))],
      "DUPLICATE",
    ],
    ["for an environment beside one for another", scope(ofEnvironment("dev")), [aPolicy(scope(ofEnvironment("prod")))]],
    [
      "for an environment with an existing one for the same option",
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

  it("may be labeled although its team was deleted", () => {
    const policy = loose(scope(ofTeam("gone")));
    expect(decideClusterCreationPolicy({ policy, before: policy, team: undefined, policies: [] })).toEqual([]);
  });
});
