import { annotations, labels } from "@butler/api";
import { describe, expect, it } from "vitest";
import { type Case, changed, check, judged, made, without, withTeam } from "../testing/cluster-cases.ts";
import { aCluster, aConfig, clusterFacts, type Traits } from "../testing/objects.ts";
import { decideTenantClusterDeletion } from "./decide.ts";
import type { TenantClusterInput } from "./input.ts";

describe("where a cluster belongs", () => {
  const mode = (name: string, more: Partial<TenantClusterInput["facts"]> = {}) => ({
    facts: clusterFacts({ config: aConfig({ multiTenancy: { mode: name } }), ...more }),
  });
  const teamless = aCluster({ metadata: { namespace: "butler-tenants" }, spec: without("teamRef") });
  const noTeam = { team: undefined };

  it.each<Case>([
    ["Enforced: in its team's namespace", {}],
    ["Enforced: without a team", { cluster: teamless, ...mode("Enforced", noTeam) }, "REQUIRED spec.teamRef"],
    ["Enforced: a missing team", mode("Enforced", noTeam), "NOT_FOUND spec.teamRef.name: Team payments not found"],
    [
      "Enforced: in another namespace",
      made({ metadata: { namespace: "other" } }),
      "NOT_ALLOWED metadata.namespace: must be payments",
    ],
    [
      "Enforced: a namespace that the team's status names",
      {
        ...withTeam({ status: { phase: "Ready", namespace: "team-payments" } }),
        ...made({ metadata: { namespace: "team-payments" } }),
      },
    ],
    ["Enforced: a team that is not ready", withTeam({ status: { phase: "Pending" } }), "is not ready (Pending)"],
    ["Enforced: a team without a status", withTeam({ status: {} }), "is not ready (Pending)"],
    [
      "Enforced: a team that is being deleted",
      withTeam({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }),
      "Team payments is being deleted",
    ],
    ["Optional: with a team", mode("Optional")],
    ["Optional: without a team", { cluster: teamless, ...mode("Optional", noTeam) }],
    [
      "Optional: without a team, elsewhere",
      {
        cluster: aCluster({ metadata: { namespace: "other" }, spec: without("teamRef") }),
        ...mode("Optional", noTeam),
      },
      "must be butler-tenants for a cluster without a team in tenancy mode Optional",
    ],
    [
      "Optional: with a team, elsewhere",
      { cluster: aCluster({ metadata: { namespace: "butler-tenants" } }), ...mode("Optional") },
      "must be payments, the namespace of team payments",
    ],
    ["Optional: a missing team", mode("Optional", noTeam), "NOT_FOUND spec.teamRef.name"],
    ["Disabled: without a team", { cluster: teamless, ...mode("Disabled", noTeam) }],
    [
      "Disabled: with a team",
      mode("Disabled"),
      "NOT_ALLOWED spec.teamRef: must not be set: the tenancy mode is Disabled",
    ],
    [
      "Disabled: elsewhere",
      { cluster: aCluster({ spec: without("teamRef") }), ...mode("Disabled", noTeam) },
      "NOT_ALLOWED metadata.namespace: must be butler-tenants",
    ],
    [
      "Disabled: the default namespace that is set",
      {
        cluster: aCluster({ metadata: { namespace: "clusters" }, spec: without("teamRef") }),
        facts: clusterFacts({ config: aConfig({ multiTenancy: {}, defaultNamespace: "clusters" }), ...noTeam }),
      },
    ],
    ["no settings: as Disabled", { cluster: teamless, facts: clusterFacts({ config: undefined, ...noTeam }) }],
    [
      "a change after the mode changed",
      {
        ...changed({ spec: without("teamRef") }, { spec: { ...without("teamRef"), paused: true } }),
        ...mode("Enforced", noTeam),
      },
    ],
    [
      "a change although the team is not ready",
      { ...withTeam({ status: {} }), ...changed({}, { spec: { paused: true } }) },
    ],
    [
      "a change of the team",
      changed({}, { spec: { teamRef: { name: "web" } } }),
      "IMMUTABLE spec.teamRef: is payments and cannot be changed",
    ],
    ["removing the team", changed({}, { spec: without("teamRef") }), "IMMUTABLE spec.teamRef"],
    ["setting the team of the namespace later", changed({ spec: without("teamRef") }, {})],
    [
      "setting another team later",
      changed({ spec: without("teamRef"), metadata: { namespace: "web" } }, { metadata: { namespace: "web" } }),
      "NOT_ALLOWED metadata.namespace: must be payments",
    ],
  ])("%s", check);
});

describe("the creator of a cluster", () => {
  const by = (username: string, isTrusted = false) => ({ requester: { username, isTrusted } });
  const creator = (email: string | undefined, ...rest: [owner?: string | undefined]): Traits => {
    const owner = rest.length === 0 ? email : rest[0];
    const given = { [annotations.creatorEmail]: email, [annotations.owner]: owner };
    return { metadata: { annotations: given as Record<string, string> } };
  };
  const eve = "eve@example.com";

  it.each<Case>([
    ["one's own", {}],
    ["one's own, in another case", made(creator("ADA@example.com"))],
    [
      "another's",
      { ...made(creator(eve)), ...made(creator(eve, "ada@example.com")) },
      "FORBIDDEN metadata.annotations[butler.butlerlabs.dev/creator-email]: is eve",
    ],
    [
      "another's as owner",
      made(creator("ada@example.com", eve)),
      "FORBIDDEN metadata.annotations[butler.butlerlabs.dev/owner]: is eve",
    ],
    [
      "another's, by Butler's server",
      { ...made(creator(eve)), ...by("system:serviceaccount:butler-system:server", true) },
    ],
    [
      "missing",
      made(creator(undefined)),
      "REQUIRED metadata.annotations[butler.butlerlabs.dev/creator-email]: is missing",
    ],
    [
      "a change of the creator",
      changed({}, creator(eve, "ada@example.com")),
      "IMMUTABLE metadata.annotations[butler.butlerlabs.dev/creator-email]",
    ],
    ["a change of the creator's case", changed({}, creator("Ada@example.com", "ada@example.com")), "IMMUTABLE"],
    [
      "a change of the creator, by Butler's server",
      { ...changed({}, creator(eve, "ada@example.com")), ...by("server", true) },
      "IMMUTABLE",
    ],
    [
      "a creator where there was none",
      changed(creator(undefined), creator("ada@example.com", undefined)),
      "is not set and cannot be changed",
    ],
    [
      "a change of the owner",
      changed({}, creator("ada@example.com", eve)),
      "FORBIDDEN metadata.annotations[butler.butlerlabs.dev/owner]",
    ],
    [
      "a change of the owner, by Butler's server",
      { ...changed({}, creator("ada@example.com", eve)), ...by("server", true) },
    ],
    [
      "a change of the owner, by a platform administrator",
      {
        ...changed({}, creator("ada@example.com", eve)),
        requester: { username: "root", isTrusted: false, isPlatformAdmin: true },
      },
    ],
    ["an owner who is the creator anyway", changed(creator("ada@example.com", undefined), {})],
    ["a removed owner", changed({}, creator("ada@example.com", undefined)), "FORBIDDEN"],
    ["a change by another user", { ...changed({}, { spec: { paused: true } }), ...by("bob@example.com") }],
  ])("%s", check);
});

describe("the environment of a cluster", () => {
  const inside = (environment: string | undefined, more: Record<string, string> = {}): Traits => ({
    metadata: {
      labels: { [labels.environment]: environment } as Record<string, string>,
      annotations: more,
    },
  });
  const migration = { [annotations.migrationOperation]: "true" };
  const noEnvironments = { spec: { environments: [] } };

  it.each<Case>([
    ["one of the team's", made(inside("prod"))],
    [
      "none",
      made(inside(undefined)),
      "REQUIRED metadata.labels[butler.butlerlabs.dev/environment]: is required; choose an environment in team payments: dev, prod",
    ],
    [
      "one that there is not",
      made(inside("qa")),
      "NOT_FOUND metadata.labels[butler.butlerlabs.dev/environment]: environment qa not found",
    ],
    ["one in other capitals", made(inside("Dev")), "NOT_FOUND"],
    ["none, where the team has none", { ...withTeam(noEnvironments), ...made(inside(undefined)) }],
    ["any, where the team has none", { ...withTeam(noEnvironments), ...made(inside("qa")) }],
    [
      "a change",
      changed(inside("dev"), inside("prod")),
      "IMMUTABLE metadata.labels[butler.butlerlabs.dev/environment]: is dev and cannot be changed",
    ],
    ["removed", changed(inside("dev"), inside(undefined)), "IMMUTABLE"],
    [
      "added later",
      changed(inside(undefined), inside("dev")),
      "IMMUTABLE metadata.labels[butler.butlerlabs.dev/environment]: is not set",
    ],
    [
      "a change with an annotation that is not true",
      changed(inside("dev"), inside("prod", { [annotations.migrationOperation]: "yes" })),
      "IMMUTABLE",
    ],
    ["a move", changed(inside("dev"), inside("prod", migration))],
    ["a move out of nowhere", changed(inside(undefined), inside("prod", migration))],
    ["a move to nowhere", changed(inside("dev"), inside("qa", migration)), "NOT_FOUND"],
    ["a move out of all", changed(inside("dev"), inside(undefined, migration)), "REQUIRED"],
    [
      "a move out of all, by who runs the platform",
      {
        ...changed(inside("dev"), inside(undefined, migration)),
        requester: { username: "root", isTrusted: false, isPlatformAdmin: true },
      },
    ],
    [
      "removed without the annotation, by a platform administrator",
      {
        ...changed(inside("dev"), inside(undefined)),
        requester: { username: "root", isTrusted: false, isPlatformAdmin: true },
      },
      "IMMUTABLE",
    ],
    ["none, as before there were any", changed(inside(undefined), { ...inside(undefined), spec: { paused: true } })],
    ["one that was deleted since", changed(inside("old"), { ...inside("old"), spec: { paused: true } })],
  ])("%s", check);
});

describe("a cluster as a whole", () => {
  it("is rejected with all reasons at once", () => {
    const cluster = aCluster({
      metadata: { labels: { [labels.environment]: "qa" } },
      spec: { kubernetesVersion: "v1.1.0" },
    });
    expect(judged({ cluster, requester: { username: "eve@example.com", isTrusted: false } })).toHaveLength(4);
  });

  it("is judged by the same rules while it is being deleted", () => {
    const metadata = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    const before = aCluster({ metadata });
    expect(judged({ cluster: before, before })).toEqual([]);
    expect(judged({ cluster: aCluster({ metadata, spec: { kubernetesVersion: "v1.1.0" } }), before })).toHaveLength(1);
    const moved = aCluster({ metadata: { ...metadata, labels: { [labels.environment]: "prod" } } });
    expect(judged({ cluster: moved, before })).toEqual([expect.stringContaining("IMMUTABLE metadata.labels")]);
  });

  it.each([
    ["true", 1],
    ["false", 0],
    ["", 0],
  ])("is protected against deletion by %j: %d", (value, reasons) => {
    const cluster = aCluster({ metadata: { annotations: { [annotations.deletionProtection]: value } } });
    expect(decideTenantClusterDeletion(cluster)).toHaveLength(reasons);
  });

  it("is deleted without the annotation", () => {
    expect(decideTenantClusterDeletion(aCluster())).toEqual([]);
  });
});
