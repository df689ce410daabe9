import { ButlerConfig, Team, TenantCluster } from "@butler/api";
import { builtinKinds, type KubeObject, rbacGroup } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aButlerConfig, aTeam } from "../shared/testing/objects.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { runTeams, subjectsOf } from "./testing/team-runs.ts";

const { ClusterRole, Namespace, Role, RoleBinding } = builtinKinds;
const everything = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };

let cluster: TestCluster;
let harness: TenancyHarness;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [ButlerConfig, Team, TenantCluster] });
  harness = new TenancyHarness(cluster, [Team]);
  await harness.create(ButlerConfig, aButlerConfig());
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

describe("drift of a team's objects", () => {
  async function teamAtRest(name: string) {
    await harness.create(
      Team,
      aTeam({ name, spec: { access: { users: [{ name: "ada@example.com", role: "admin" }] } } }),
    );
    const running = await runTeams(harness);
    await harness.ready(Team, { name });
    await eventually(() => running.runtime.isIdle, { what: "rest" });
    return running;
  }

  const enforce = "pod-security.kubernetes.io/enforce";

  /** Adds a subject to a binding, as a user with an editor would. */
  async function letIn(name: string, role: string): Promise<void> {
    const binding = await cluster.client.get(RoleBinding, { name: `butler-team-${role}`, namespace: name });
    const intruder = { apiGroup: rbacGroup, kind: "User", name: "eve@example.com" };
    const subjects = [...((binding["subjects"] ?? []) as object[]), intruder];
    await cluster.client.replace(RoleBinding, { ...binding, subjects } as KubeObject);
  }

  type Step = (name: string) => Promise<unknown>;
  const drifts: [string, Step, Step][] = [
    [
      "an extra subject in a binding",
      (name) => letIn(name, "admin"),
      async (name) => (await subjectsOf(harness, name, "admin")).join() === `butler:team:${name}:admin,ada@example.com`,
    ],
    [
      "a subject in an empty binding",
      (name) => letIn(name, "viewer"),
      async (name) => (await subjectsOf(harness, name, "viewer")).join() === `butler:team:${name}:viewer`,
    ],
    [
      "a deleted binding",
      (name) => cluster.client.delete(RoleBinding, { name: "butler-team-admin", namespace: name }),
      (name) => subjectsOf(harness, name, "admin"),
    ],
    [
      "more permissions in a role",
      (name) =>
        harness.merge(
          Role,
          { name: "butler-team-viewer", namespace: name },
          { rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }] },
        ),
      async (name) => {
        const role = await cluster.client.get(Role, { name: "butler-team-viewer", namespace: name });
        return !JSON.stringify(role["rules"]).includes("secrets");
      },
    ],
    [
      "a deleted role",
      (name) => cluster.client.delete(Role, { name: "butler-team-operator", namespace: name }),
      (name) => cluster.client.get(Role, { name: "butler-team-operator", namespace: name }),
    ],
    [
      "more permissions on teams",
      (name) => harness.merge(ClusterRole, { name: `butler:team:${name}:member` }, { rules: [everything] }),
      async (name) => {
        const role = await cluster.client.get(ClusterRole, { name: `butler:team:${name}:member` });
        return !JSON.stringify(role["rules"]).includes("*");
      },
    ],
    [
      "a binding without its labels",
      (name) =>
        harness.merge(RoleBinding, { name: "butler-team-admin", namespace: name }, { metadata: { labels: null } }),
      async (name) => {
        const key = { name: "butler-team-admin", namespace: name };
        return (await cluster.client.get(RoleBinding, key)).metadata.labels?.["butler.butlerlabs.dev/team"] === name;
      },
    ],
    [
      "a namespace that allows privileged pods",
      (name) => harness.merge(Namespace, { name }, { metadata: { labels: { [enforce]: "privileged" } } }),
      async (name) => (await cluster.client.get(Namespace, { name })).metadata.labels?.[enforce] === "restricted",
    ],
  ];

  it.each(drifts.map(([what, ...steps], at) => [what, `drift-${at}`, ...steps] as const))(
    "is reconciled immediately: %s",
    async (_what, name, change, isRight) => {
      const { written, runtime } = await teamAtRest(name);
      await change(name);
      await eventually(() => isRight(name), { timeoutMs: 5_000, what: "everything as it was" });
      await eventually(() => runtime.isIdle, { what: "rest" });
      const before = written.length;
      await harness.merge(Team, { name }, { metadata: { labels: { looked: "again" } } });
      await eventually(async () => (await runtime.preview({ name }))?.isSettled === true && runtime.isIdle);
      expect(written.slice(before)).toEqual([]);
    },
  );

  it("is reconciled even for immutable fields", async () => {
    const name = "forged";
    const { stop } = await teamAtRest(name);
    await stop();
    const key = { name: "butler-team-admin", namespace: name };
    const { metadata, ...binding } = await cluster.client.get(RoleBinding, key);
    await cluster.client.delete(RoleBinding, key);
    const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name: "cluster-admin" };
    const forged = { ...binding, metadata: { ...key, labels: metadata.labels }, roleRef };
    await cluster.client.create(RoleBinding, forged);
    await runTeams(harness);
    await eventually(async () => {
      const found = await cluster.client.get(RoleBinding, key);
      return (found["roleRef"] as { name: string }).name === "butler-team-admin";
    });
    await harness.ready(Team, { name });
  });

  it("is detected for objects of the team even without their labels", async () => {
    const name = "unlabelled";
    await teamAtRest(name);
    await harness.merge(Namespace, { name }, { metadata: { labels: null } });
    await eventually(async () => {
      const { metadata } = await cluster.client.get(Namespace, { name });
      return metadata.labels?.["butler.butlerlabs.dev/team"] === name;
    });
  });
});
