import { teamNamespaceRules } from "@butler/access";
import { annotations, ButlerConfig, labels, Team, TenantAddon, TenantCluster, User } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, rbacGroup } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdmissionHarness } from "./testing/admission-harness.ts";

const apiVersion = `${rbacGroup}/v1`;
const namespace = "payments";
const served = (...groups: string[]): string[] => ["butler:users", ...groups];
const operators = "butler:team:payments:operator";
const admins = "butler:team:payments:admin";

let harness: AdmissionHarness;

beforeAll(async () => {
  harness = await AdmissionHarness.start();
  const users = [
    { name: "olga@example.com", role: "operator" },
    { name: "dora@example.com", role: "viewer" },
  ];
  const environments = [
    { name: "dev", access: { users: [{ name: "dora@example.com", role: "operator" }] } },
    { name: "prod" },
  ];
  await harness.team(namespace, { access: { users }, environments });
  for (const name of ["olga", "dora"]) await addPerson(name);
  // As the team controller and the chart do.
  await bind(operators, namespace, teamNamespaceRules("operator"));
  await bind("butler:platform:admin", undefined, [{ apiGroups: [Team.group], resources: ["*"], verbs: ["*"] }]);
  const olga = await harness.as("olga@example.com", served(operators));
  await eventually(() => make(olga, "prod", "first").then(Boolean, () => false), { what: "roles in force" });
});
afterAll(() => harness?.stop());

const addPerson = (name: string, spec: object = {}) =>
  harness.create(User, { metadata: { name }, spec: { email: `${name}@example.com`, ...spec } });

async function bind(group: string, where: string | undefined, rules: readonly object[]): Promise<void> {
  const { Role, RoleBinding, ClusterRole, ClusterRoleBinding } = builtinKinds;
  const [role, binding] = where === undefined ? [ClusterRole, ClusterRoleBinding] : [Role, RoleBinding];
  const metadata = { name: group, ...(where === undefined ? {} : { namespace: where }) };
  await harness.create({ ...role, apiVersion }, { metadata, rules });
  const roleRef = { apiGroup: rbacGroup, kind: role.kind, name: group };
  const subjects = [{ apiGroup: rbacGroup, kind: "Group", name: group }];
  await harness.create({ ...binding, apiVersion }, { metadata, roleRef, subjects });
}

const make = (client: KubeClient, environment: string, name: string) => {
  const metadata = { name, namespace, labels: { [labels.environment]: environment } };
  return harness.create(TenantCluster, { metadata, spec: { workers: { replicas: 1 } } }, client);
};
const scale = (client: KubeClient, name: string, replicas: number): Promise<TenantCluster> =>
  client.patch(TenantCluster, { name, namespace }, { type: "merge", patch: { spec: { workers: { replicas } } } });

describe("a user with a role in one environment, through the server", () => {
  it("has the role there and nowhere else", async () => {
    const dora = await harness.as("dora@example.com", served(operators));
    const { metadata } = await make(dora, "dev", "tried");
    expect(metadata.annotations?.[annotations.creatorEmail]).toBe("dora@example.com");
    await scale(dora, "tried", 2);
    const refusal = "role operator in environment prod of team payments";
    await expect(make(dora, "prod", "live")).rejects.toThrow(refusal);
    await expect(scale(dora, "first", 2)).rejects.toThrow(refusal);
    await expect(dora.delete(TenantCluster, { name: "first", namespace })).rejects.toThrow(refusal);
    const addon = (cluster: string) => ({
      metadata: { name: `${cluster}-web`, namespace },
      spec: { clusterRef: { name: cluster }, addon: "web" },
    });
    await expect(harness.create(TenantAddon, addon("first"), dora)).rejects.toThrow(refusal);
    await harness.create(TenantAddon, addon("tried"), dora);
    const olga = await harness.as("olga@example.com", served(operators));
    await scale(olga, "first", 2);
  });
});

describe("a platform administrator by the server's group", () => {
  it("needs no role in the account", async () => {
    const change = { type: "merge", patch: { spec: { resourceLimits: { maxClusters: 50 } } } } as const;
    const olga = await harness.as("olga@example.com", served("butler:platform:admin"));
    await olga.patch(Team, { name: namespace }, change);
  });

  it("is not one by a team's group", async () => {
    const onTeam = [{ apiGroups: [Team.group], resources: ["teams"], resourceNames: [namespace], verbs: ["patch"] }];
    await bind(admins, undefined, onTeam);
    const dora = await harness.as("dora@example.com", served(admins));
    const change = { type: "merge", patch: { spec: { displayName: "Mine" } } } as const;
    const refusal = async (): Promise<string> => dora.patch(Team, { name: namespace }, change).then(() => "", String);
    // Until the role is in effect, Kubernetes itself rejects the request.
    await eventually(async () => (await refusal()).includes("by an admin of team payments"));
  });
});

describe("a CLI session", () => {
  it("acts as the user it belongs to", async () => {
    const { metadata } = await addPerson("cleo", { platformRole: "admin" });
    const account = `system:serviceaccount:butler-cli:butler-cli-${metadata.uid}`;
    const cleo = await harness.as(account, ["system:masters"]);
    const made = await make(cleo, "dev", "cleos");
    expect(made.metadata.annotations?.[annotations.creatorEmail]).toBe("cleo@example.com");
    const change = { type: "merge", patch: { spec: { resourceLimits: { maxClusters: 60 } } } } as const;
    await cleo.patch(Team, { name: namespace }, change);
    await harness.client.patch(User, { name: "cleo" }, { type: "merge", patch: { spec: { disabled: true } } });
    await expect(scale(cleo, "cleos", 2)).rejects.toThrow("(cleo@example.com) is disabled");
    await harness.client.delete(User, { name: "cleo" });
    await expect(scale(cleo, "cleos", 2)).rejects.toThrow("the account of this CLI session no longer exists");
  });
});

describe("a user whose account is disabled", () => {
  it("cannot write, however they authenticate", async () => {
    await addPerson("eve", { disabled: true, platformRole: "admin" });
    const ways = await Promise.all([
      harness.as("eve@example.com", ["system:masters"]),
      harness.as("Eve@Example.com", ["system:masters"]),
      harness.as("eve@example.com", served("butler:platform:admin")),
    ]);
    const isRefused = "(eve@example.com) is disabled";
    for (const eve of ways) {
      await expect(eve.delete(Team, { name: namespace })).rejects.toThrow(isRefused);
      await expect(
        eve.patch(User, { name: "eve" }, { type: "merge", patch: { spec: { disabled: false } } }),
      ).rejects.toThrow(isRefused);
      await expect(
        eve.patch(Team, { name: namespace }, { type: "merge", patch: { metadata: { labels: { a: "b" } } } }),
      ).rejects.toThrow(isRefused);
      await expect(make(eve, "dev", "evil")).rejects.toThrow(isRefused);
      const settings = { type: "merge", patch: { spec: { multiTenancy: { mode: "Disabled" } } } } as const;
      await expect(eve.patch(ButlerConfig, { name: "butler" }, settings)).rejects.toThrow(isRefused);
    }
  });
});
