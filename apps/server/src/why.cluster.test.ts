import { tenantNamespaceRules } from "@butler/access";
import { LocalMachine, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { Machine } from "@butler/api-external";
import { whyCluster } from "@butler/contract";
import { builtinKinds, rbacGroup } from "@butler/resource";
import { eventually, installLooseCrds } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newObject } from "./handlers/writing.ts";
import { bindTeam, type Served, startServed } from "./testing/served.ts";

const people = {
  olga: { person: { email: "olga@example.com", groups: [] } },
  vera: { person: { email: "vera@example.com", groups: [] } },
};
const shop = { namespace: "payments", name: "shop" };
const inside = "shop-11111111";
const { Role, RoleBinding } = builtinKinds;
let served: Served;

beforeAll(async () => {
  served = await startServed("server-why", people);
  const { cluster } = served;
  const { client } = cluster;
  for (const name of ["payments", "butler-system", inside]) await cluster.createNamespace(name);
  await installLooseCrds(client, [Machine]);
  await bindTeam(cluster, "payments");
  const users = Object.values(people).map(({ person }) => ({ name: person.email, role: "operator" }));
  await client.create(Team, newObject(Team, { name: "payments" }, { spec: { access: { users } } }));
  const local = { name: "local", namespace: "butler-system" };
  await client.create(ProviderConfig, newObject(ProviderConfig, local, { spec: { provider: "local" } }));
  const spec = { teamRef: { name: "payments" }, providerConfigRef: { name: "local" } };
  await client.create(TenantCluster, newObject(TenantCluster, shop, { spec }));
  const patch = { status: { phase: "Provisioning", tenantNamespace: inside } };
  await client.patch(TenantCluster, shop, { type: "merge", subresource: "status", patch });
  await brokenMachine();
  await letIn("olga@example.com");
  await eventually(() => served.server.state.clusters.get(shop)?.status?.tenantNamespace === inside);
  // The API server receives new roles shortly afterwards.
  await eventually(async () => !(await unreadableToOlga()).some(({ what }) => /machines\..+ in /.test(what)));
});

const unreadableToOlga = async () => (await served.as("olga").call(whyCluster, { params: shop })).unreadable;

afterAll(() => served?.stop());

/** A machine that its provider cannot create. */
async function brokenMachine(): Promise<void> {
  const { client } = served.cluster;
  const key = { name: "shop-workers-x7k2p", namespace: inside };
  const infrastructureRef = { apiGroup: LocalMachine.group, kind: LocalMachine.kind, name: key.name };
  const spec = { clusterName: "shop", bootstrap: { dataSecretName: "shop-workers" }, infrastructureRef };
  await client.create(Machine, newObject(Machine, key, { spec }));
  await client.create(LocalMachine, newObject(LocalMachine, key, { spec: {} }));
  const ready = { type: "Ready", status: "False", reason: "ImageMissing", message: "there is no image of v1.36.3" };
  const status = { conditions: [{ ...ready, lastTransitionTime: "2026-01-01T00:00:00Z" }] };
  await client.patch(LocalMachine, key, { type: "merge", subresource: "status", patch: { status } });
}

/** Grants an operator's permissions in the namespace of the cluster's objects, as the team controller does. */
async function letIn(email: string): Promise<void> {
  const { client } = served.cluster;
  const metadata = { name: "butler-team-operator", namespace: inside };
  const rules = tenantNamespaceRules("operator", { infrastructure: [LocalMachine.plural] });
  await client.create(Role, newObject(Role, metadata, { rules }));
  const roleRef = { apiGroup: rbacGroup, kind: "Role", name: metadata.name };
  const subjects = [{ apiGroup: rbacGroup, kind: "User", name: email }];
  await client.create(RoleBinding, newObject(RoleBinding, metadata, { roleRef, subjects }));
}

describe("the diagnosis of a cluster", () => {
  it("reaches down to the machine at its provider", async () => {
    const answer = await served.as("olga").call(whyCluster, { params: shop });
    expect(answer).toMatchObject({ state: "stuck", cause: "ImageMissing" });
    expect(answer.sentence).toContain("there is no image of v1.36.3");
    expect(answer.nextStep).not.toBe("");
    expect(answer.chain[0]).toMatch(/^TenantCluster payments\/shop: Provisioning/);
    expect(answer.chain.at(-1)).toMatch(/^LocalMachine shop-11111111\/shop-workers-x7k2p: Ready=False/);
  });

  it("uses only what the user may read, and reports what it could not read", async () => {
    const answer = await served.as("vera").call(whyCluster, { params: shop });
    expect(answer.cause).not.toBe("ImageMissing");
    expect(answer.unreadable).toContainEqual({
      what: `machines.cluster.x-k8s.io in ${inside}`,
      why: "permission denied",
    });
    expect(JSON.stringify(answer)).not.toContain("no image");
  });
});
