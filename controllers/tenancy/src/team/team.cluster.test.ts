import { ButlerConfig, Team, TenantCluster } from "@butler/api";
import { builtinKinds, findCondition, rbacGroup } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aButlerConfig, aCluster, aTeam } from "../shared/testing/objects.ts";
import { runController } from "../shared/testing/run-controller.ts";
import { TenancyHarness } from "../shared/testing/tenancy-harness.ts";
import { teamController } from "./controller.ts";
import { runTeams, subjectsOf } from "./testing/team-runs.ts";

const { ClusterRole, ClusterRoleBinding, Namespace, Role, RoleBinding, Secret } = builtinKinds;
const user = (name: string, role: string) => ({ name, role });

let cluster: TestCluster;
let harness: TenancyHarness;

beforeAll(async () => {
  const resources = [ButlerConfig, Team, TenantCluster];
  cluster = await aTestCluster({ resources, withControllerManager: true });
  harness = new TenancyHarness(cluster, [TenantCluster, Team, ButlerConfig]);
});
beforeEach(() => harness.create(ButlerConfig, aButlerConfig()));
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

describe("members of a team", () => {
  it("have the permissions of their role, and no more", async () => {
    const access = {
      users: [
        user("ada@example.com", "admin"),
        user("Olga@Example.com", "operator"),
        user("vic@example.com", "viewer"),
      ],
      groups: [{ name: "auditors", role: "viewer" }],
    };
    const environments = [{ name: "dev", access: { users: [user("dev@example.com", "admin")] } }];
    await harness.create(Team, aTeam({ name: "roles", spec: { access, environments } }));
    await runTeams(harness);
    const { status } = await harness.ready(Team, { name: "roles" });
    expect(status).toMatchObject({ phase: "Ready", namespace: "roles", memberCount: 4, clusterCount: 0 });

    const namespace = "roles";
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "provider", namespace } };
    const [ada, olga, vic, auditor, dev, eve] = await Promise.all([
      harness.as("ada@example.com"),
      harness.as("olga@example.com"),
      harness.as("vic@example.com"),
      harness.as("ann", ["auditors"]),
      harness.as("dev@example.com"),
      harness.as("eve@example.com"),
    ]);
    await ada.create(Secret, secret);
    for (const client of [olga, vic, auditor, dev, eve]) {
      await expect(client.get(Secret, { name: "provider", namespace })).rejects.toBeInstanceOf(Forbidden);
      await expect(client.list(Secret, { namespace })).rejects.toBeInstanceOf(Forbidden);
    }
    for (const client of [ada, olga, vic, auditor, dev]) await client.list(TenantCluster, { namespace });
    await expect(eve.list(TenantCluster, { namespace })).rejects.toBeInstanceOf(Forbidden);
    const shop = { ...aCluster(), metadata: { name: "shop", namespace } };
    for (const client of [vic, auditor, dev]) {
      await expect(client.create(TenantCluster, shop)).rejects.toBeInstanceOf(Forbidden);
    }
    await olga.create(TenantCluster, shop);
    for (const client of [ada, olga]) {
      await expect(client.list(RoleBinding, { namespace })).rejects.toBeInstanceOf(Forbidden);
      await expect(client.list(TenantCluster, { namespace: "default" })).rejects.toBeInstanceOf(Forbidden);
    }
  });

  it("lose access as soon as they are removed", async () => {
    const name = "leavers";
    const users = [user("ada@example.com", "admin"), user("bob@example.com", "operator")];
    await harness.create(Team, aTeam({ name, spec: { access: { users } } }));
    await runTeams(harness);
    await harness.ready(Team, { name });
    const bob = await harness.as("bob@example.com");
    await bob.list(TenantCluster, { namespace: name });
    await harness.merge(Team, { name }, { spec: { access: { users: [users[0]] } } });
    const isShutOut = () =>
      bob.list(TenantCluster, { namespace: name }).then(
        () => false,
        (error: unknown) => error instanceof Forbidden,
      );
    await eventually(isShutOut, { timeoutMs: 5_000, what: "the end of Bob's access" });
    expect(await subjectsOf(harness, name, "operator")).toEqual([`butler:team:${name}:operator`]);
  });
});

describe("a user whom Butler's server adds to a group of the team", () => {
  it("has the role of that group, and can read or change only that team", async () => {
    for (const name of ["served", "foreign"]) await harness.create(Team, aTeam({ name }));
    await runTeams(harness);
    for (const name of ["served", "foreign"]) await harness.ready(Team, { name });
    const [namespace, name] = ["served", "served"];
    const inGroupOf = (role: string) => harness.as("ida@example.com", [`butler:team:served:${role}`]);
    const [viewer, operator, admin] = await Promise.all([
      inGroupOf("viewer"),
      inGroupOf("operator"),
      inGroupOf("admin"),
    ]);
    const change = { type: "merge", patch: { spec: { description: "changed" } } } as const;
    for (const client of [viewer, operator, admin]) {
      await client.list(TenantCluster, { namespace });
      expect((await client.get(Team, { name })).metadata.name).toBe(name);
      await expect(client.get(Team, { name: "foreign" })).rejects.toBeInstanceOf(Forbidden);
      await expect(client.list(Team)).rejects.toBeInstanceOf(Forbidden);
      await expect(client.delete(Team, { name })).rejects.toBeInstanceOf(Forbidden);
    }
    for (const client of [viewer, operator]) {
      await expect(client.patch(Team, { name }, change)).rejects.toBeInstanceOf(Forbidden);
    }
    await admin.patch(Team, { name }, change);
    await expect(admin.patch(Team, { name: "foreign" }, change)).rejects.toBeInstanceOf(Forbidden);
    const shop = { ...aCluster(), metadata: { name: "shop", namespace } };
    await expect(viewer.create(TenantCluster, shop)).rejects.toBeInstanceOf(Forbidden);
    await operator.create(TenantCluster, shop);
  });
});

describe("a namespace that is not the team's", () => {
  it("is rejected and left unchanged", async () => {
    await cluster.createNamespace("taken");
    const before = await cluster.client.get(Namespace, { name: "taken" });
    await harness.create(Team, aTeam({ name: "taken" }));
    await runTeams(harness);
    const { status } = await harness.ready(Team, { name: "taken" }, "NamespaceTaken");
    expect(status?.phase).toBe("Failed");
    expect(await cluster.client.get(Namespace, { name: "taken" })).toEqual(before);
    expect((await cluster.client.list(RoleBinding, { namespace: "taken" })).items).toEqual([]);
    await cluster.client.delete(Team, { name: "taken" });
    await harness.gone(Team, { name: "taken" });
    expect(await cluster.client.get(Namespace, { name: "taken" })).toEqual(before);
  });
});

describe("the usage of a team", () => {
  it("follows its clusters and its limits", async () => {
    const name = "usage";
    await harness.create(Team, aTeam({ name }));
    await runTeams(harness);
    await harness.ready(Team, { name });
    const ofTeam = (shop: string) => aCluster({ name: shop, namespace: name, spec: { teamRef: { name } } });
    await harness.create(TenantCluster, ofTeam("shop"));
    await harness.create(TenantCluster, ofTeam("blog"));
    const usageWith = (quotaStatus: string, clusters: number) =>
      eventually(async () => {
        const { status } = await cluster.client.get(Team, { name });
        return status?.quotaStatus === quotaStatus && status.clusterCount === clusters && status;
      });
    expect(await usageWith("OK", 2)).toMatchObject({ resourceUsage: { clusters: 2, totalNodes: 4, totalCPU: "16" } });
    await harness.merge(ButlerConfig, { name: "butler" }, { spec: { defaultTeamLimits: { maxClusters: 1 } } });
    const { conditions } = await usageWith("Exceeded", 2);
    expect(findCondition(conditions, "QuotaExceeded")).toMatchObject({ status: "True" });
    expect(findCondition(conditions, "Ready")).toMatchObject({ status: "True" });
    await cluster.client.delete(TenantCluster, { name: "blog", namespace: name });
    expect(await usageWith("Warning", 1)).toMatchObject({ resourceUsage: { clusterUtilization: 100 } });
  });
});

describe("the tenancy mode", () => {
  it("decides whether a team gets a namespace", async () => {
    await harness.merge(ButlerConfig, { name: "butler" }, { spec: { multiTenancy: { mode: "Disabled" } } });
    await harness.create(Team, aTeam({ name: "modes" }));
    await runTeams(harness);
    await harness.ready(Team, { name: "modes" }, "TenancyDisabled");
    expect(await cluster.client.find(Namespace, { name: "modes" })).toBeUndefined();
    await harness.merge(ButlerConfig, { name: "butler" }, { spec: { multiTenancy: { mode: "Optional" } } });
    await harness.ready(Team, { name: "modes" });
  });
});

describe("the deletion of a team", () => {
  it("is blocked by its clusters, then deletes the namespace", async () => {
    const name = "ending";
    await harness.create(Team, aTeam({ name, spec: { access: { users: [user("ada@example.com", "operator")] } } }));
    await runTeams(harness);
    await harness.ready(Team, { name });
    await harness.create(TenantCluster, aCluster({ namespace: name, spec: { teamRef: { name } } }));
    await eventually(async () => (await cluster.client.get(Team, { name })).status?.clusterCount === 1);
    await cluster.client.delete(Team, { name });
    const { status } = await harness.ready(Team, { name }, "DeletionBlocked");
    expect(findCondition(status?.conditions, "Ready")?.message).toContain("ending/shop");
    expect((await cluster.client.get(Namespace, { name })).metadata.deletionTimestamp).toBeUndefined();
    // Members still have the permissions they need.
    await (await harness.as("ada@example.com")).delete(TenantCluster, { name: "shop", namespace: name });
    await harness.gone(Team, { name });
    expect(await cluster.client.find(Namespace, { name })).toBeUndefined();
    for (const relation of ["member", "admin"]) {
      const key = { name: `butler:team:${name}:${relation}` };
      expect(await cluster.client.find(ClusterRole, key)).toBeUndefined();
      expect(await cluster.client.find(ClusterRoleBinding, key)).toBeUndefined();
    }
  });

  it("does not complete while a cluster exists that is only on the API server", async () => {
    const name = "unheard";
    await harness.create(Team, aTeam({ name }));
    const hidden = aCluster({ namespace: name, spec: { teamRef: { name } } });
    const running = await runController(cluster.client, teamController, {
      ports: { listClusters: () => Promise.resolve([hidden]) },
    });
    harness.later(() => running.stop());
    await harness.ready(Team, { name });
    await cluster.client.delete(Team, { name });
    await harness.ready(Team, { name }, "DeletionBlocked");
    expect((await cluster.client.get(Namespace, { name })).metadata.deletionTimestamp).toBeUndefined();
  });
});

describe("the controller's permissions", () => {
  it("are enough for its work, and no more", async () => {
    const limited = await harness.asController(teamController);
    await runTeams(harness, limited);
    const name = "limited";
    await harness.create(Team, aTeam({ name, spec: { access: { users: [user("ada@example.com", "admin")] } } }));
    await harness.ready(Team, { name });
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["create"] }];
    const role = { apiVersion: `${rbacGroup}/v1`, kind: "Role", metadata: { name: "more", namespace: name }, rules };
    await expect(limited.create(Role, role)).rejects.toBeInstanceOf(Forbidden);
    await cluster.client.delete(Team, { name });
    await harness.gone(Team, { name });
  });
});
