import { providerKeyOf } from "@butler/api";
import { describe, expect, it } from "vitest";
import { isClusterOf, teamsConcerned } from "./clusters.ts";
import { aButlerConfig, aCluster, aTeam } from "./testing/objects.ts";

describe("the team of a cluster", () => {
  it.each([
    ["its own namespace", { spec: { teamRef: { name: "payments" } } }, ["payments"], "payments"],
    [
      "a namespace without a team",
      { namespace: "butler-tenants", spec: { teamRef: undefined } },
      ["butler-tenants"],
      "butler-tenants",
    ],
    [
      "another team's namespace",
      { namespace: "search", spec: { teamRef: { name: "payments" } } },
      ["payments", "search"],
      "payments",
    ],
  ])("is found when the cluster is in %s", (_where, traits, concerned, counted) => {
    const cluster = aCluster(traits);
    expect(teamsConcerned(cluster)).toEqual(concerned);
    expect(concerned.filter((team) => isClusterOf(cluster, team))).toEqual([counted]);
  });
});

describe("providerKeyOf", () => {
  const team = aTeam({ spec: { providerConfigRef: { name: "of-team" } } });
  const config = aButlerConfig({ spec: { defaultProviderConfigRef: { name: "of-platform" } } });
  const own = (reference: object) => aCluster({ spec: { providerConfigRef: reference } });

  it.each([
    ["its own choice", own({ name: "mine" }), { team, config }, { name: "mine", namespace: "butler-system" }],
    [
      "its own choice elsewhere",
      own({ name: "mine", namespace: "payments" }),
      { team, config },
      { name: "mine", namespace: "payments" },
    ],
    ["the team's choice", aCluster(), { team, config }, { name: "of-team", namespace: "butler-system" }],
    [
      "the platform's choice",
      aCluster(),
      { team: aTeam(), config },
      { name: "of-platform", namespace: "butler-system" },
    ],
    ["none", aCluster(), { team: undefined, config: undefined }, undefined],
  ])("takes %s", (_which, cluster, parts, expected) => {
    expect(providerKeyOf(cluster, parts)).toEqual(expected);
  });
});
