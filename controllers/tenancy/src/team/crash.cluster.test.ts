import { ButlerConfig, Team, TenantCluster } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { builtinKinds, isConditionTrue } from "@butler/resource";
import { crashAfterEverySideEffect, startAfterChange, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aButlerConfig, aTeam } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { teamController } from "./controller.ts";
import { createTeamPorts } from "./ports.ts";

const { ClusterRole, ClusterRoleBinding, Namespace, Role, RoleBinding } = builtinKinds;

let cluster: TestCluster;
let harness: TenancyHarness;

beforeAll(async () => {
  const resources = [ButlerConfig, Team, TenantCluster];
  cluster = await aTestCluster({ resources, withControllerManager: true });
  harness = new TenancyHarness(cluster, [Team, ButlerConfig]);
  await harness.create(ButlerConfig, aButlerConfig());
});
afterAll(async () => {
  await harness?.tidy();
  await cluster?.stop();
});

/** The objects of a team, without its name and fields that differ between runs. */
async function lookAround(name: string): Promise<unknown> {
  const { client } = cluster;
  const team = await client.find(Team, { name });
  const [namespace, roles, bindings, ownRoles, ownBindings] = await Promise.all([
    client.find(Namespace, { name }),
    client.list(Role, { namespace: name }),
    client.list(RoleBinding, { namespace: name }),
    client.list(ClusterRole, { labelSelector: `butler.butlerlabs.dev/team=${name}` }),
    client.list(ClusterRoleBinding, { labelSelector: `butler.butlerlabs.dev/team=${name}` }),
  ]);
  return {
    team: team && {
      finalizers: team.metadata.finalizers,
      phase: team.status?.phase,
      conditions: team.status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`).sort(),
      memberCount: team.status?.memberCount,
    },
    namespace: namespace && { owners: namespace.metadata.ownerReferences ?? [] },
    roles: roles.items.map((role) => ({ name: role.metadata.name, rules: role["rules"] })),
    bindings: bindings.items.map((binding) => ({
      name: binding.metadata.name,
      subjects: namesIn(binding["subjects"]).map((subject) => subject.replace(name, "<team>")),
    })),
    ofTeamObject: [...ownRoles.items, ...ownBindings.items].map(
      (object) => `${object.kind} ${object.metadata.name.replace(name, "<team>")}`,
    ),
  };
}

function namesIn(subjects: unknown): string[] {
  return ((subjects ?? []) as { name: string }[]).map(({ name }) => name);
}

/** A separate team for each run. */
function crashScenariosFor(purpose: string, change?: (name: string) => Promise<unknown>) {
  return async (run: number) => {
    const name = `${purpose}-${run}`;
    const users = [{ name: "ada@example.com", role: "admin" }];
    await harness.create(Team, aTeam({ name, spec: { access: { users } } }));
    const start = async (intercept?: Interceptor) => {
      const ports = createTeamPorts(cluster.client);
      const options = intercept === undefined ? { ports } : { ports, intercept };
      const { runtime, kill } = await runController(cluster.client, teamController, options);
      const isSettled = async (): Promise<boolean> => {
        const team = await cluster.client.find(Team, { name });
        if (team === undefined) return runtime.isIdle;
        if (team.metadata.deletionTimestamp !== undefined) return false;
        const preview = await runtime.preview({ name });
        const { metadata, status } = team;
        const isToldOfNow = status?.observedGeneration === metadata.generation;
        return (
          runtime.isIdle && preview?.isSettled === true && isToldOfNow && isConditionTrue(status?.conditions, "Ready")
        );
      };
      return { isSettled, stop: kill };
    };
    return {
      start: startAfterChange(start, change && (() => change(name))),
      snapshot: () => lookAround(name),
      tearDown: () => harness.tidyAway(Team, { name }),
    };
  };
}

type Report = Awaited<ReturnType<typeof crashAfterEverySideEffect>>;

/** The order of first side effects; the number of status writes depends on timing. */
const outline = ({ sideEffects }: Report) => [
  ...new Set(sideEffects.map(({ verb, target }) => `${verb} ${target.replace(/ .*/, "")}`)),
];

const ofServer = (role: string) => `butler:team:<team>:${role}`;
const ofPlatform = ["butler:platform:admin", "system:serviceaccounts:butler-cli-admins"];
const teams = "teams.butler.butlerlabs.dev";
const [roles, bindings] = [`roles.rbac.authorization.k8s.io`, `rolebindings.rbac.authorization.k8s.io`];

describe("the controller of teams stopped after each of its side effects", () => {
  it("still creates a team", { timeout: 300_000 }, async () => {
    const report = await crashAfterEverySideEffect(crashScenariosFor("made"));
    expect(outline(report)).toEqual([
      `finalizer ${teams}`,
      "apply namespaces",
      `apply ${roles}`,
      `apply cluster${roles}`,
      `apply ${bindings}`,
      `apply cluster${bindings}`,
      `status ${teams}`,
    ]);
    expect(report.crashes).toBeGreaterThanOrEqual(13);
    expect(report.endState).toMatchObject({
      team: { phase: "Ready", memberCount: 1, finalizers: ["butler.butlerlabs.dev/team"] },
      namespace: { owners: [] },
      roles: [
        { name: "butler-platform-admin" },
        { name: "butler-team-admin" },
        { name: "butler-team-operator" },
        { name: "butler-team-viewer" },
      ],
      bindings: [
        { subjects: ofPlatform },
        { subjects: [ofServer("admin"), "ada@example.com"] },
        { subjects: [ofServer("operator")] },
        { subjects: [ofServer("viewer")] },
      ],
      ofTeamObject: ["ClusterRole", "ClusterRoleBinding"].flatMap((kind) => [
        `${kind} ${ofServer("admin")}`,
        `${kind} ${ofServer("member")}`,
      ]),
    });
  });

  it("still changes its members", { timeout: 300_000 }, async () => {
    const users = [
      { name: "ada@example.com", role: "viewer" },
      { name: "bob@example.com", role: "admin" },
    ];
    const report = await crashAfterEverySideEffect(
      crashScenariosFor("changed", (name) => harness.merge(Team, { name }, { spec: { access: { users } } })),
    );
    expect(outline(report)).toEqual([`apply ${bindings}`, `apply cluster${bindings}`, `status ${teams}`]);
    expect(report.endState).toMatchObject({
      team: { memberCount: 2 },
      bindings: [
        { subjects: ofPlatform },
        { subjects: [ofServer("admin"), "bob@example.com"] },
        { subjects: [ofServer("operator")] },
        { subjects: [ofServer("viewer"), "ada@example.com"] },
      ],
    });
  });

  it("still deletes a team", { timeout: 300_000 }, async () => {
    const report = await crashAfterEverySideEffect(
      crashScenariosFor("gone", (name) => cluster.client.delete(Team, { name })),
    );
    expect(outline(report)).toEqual([
      "remove namespaces",
      `remove cluster${bindings}`,
      `remove cluster${roles}`,
      `status ${teams}`,
      `finalizer ${teams}`,
    ]);
    const nothing = { roles: [], bindings: [], ofTeamObject: [] };
    expect(report.endState).toEqual({ team: undefined, namespace: undefined, ...nothing });
  });
});
