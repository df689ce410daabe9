import { teamNamespaceRules } from "@butler/access";
import { finalizers, ProviderConfig, TenantCluster } from "@butler/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdmissionHarness } from "./testing/admission-harness.ts";
import { allowIn } from "./testing/allow-in.ts";

const ada = "ada@example.com";
const held = { finalizers: ["example.com/hold"] };
const merge = (patch: object) => ({ type: "merge", patch }) as const;
let harness: AdmissionHarness;

beforeAll(async () => {
  harness = await AdmissionHarness.start();
  await harness.team("payments", { access: { users: [{ name: ada, role: "admin" }] } });
  await allowIn(harness, { user: ada, namespace: "payments", rules: teamNamespaceRules("admin") });
});
afterAll(() => harness?.stop());

describe("a team administrator who deletes a provider that a finalizer holds", () => {
  const key = { name: "cloud", namespace: "payments" };
  const spec = {
    provider: "harvester",
    credentialsRef: { name: "own" },
    harvester: { networkName: "default/vlan40" },
    scope: { type: "team", teamRef: { name: "payments" } },
  };

  it("47: cannot point it at another namespace's Secret, nor build a cluster on it", async () => {
    const client = await harness.as(ada);
    await harness.create(ProviderConfig, { metadata: { ...key, ...held }, spec }, client);
    await client.delete(ProviderConfig, key);
    const steal = merge({ spec: { credentialsRef: { name: "harvester", namespace: "butler-system" } } });
    await expect(client.patch(ProviderConfig, key, steal)).rejects.toThrow("the object is being deleted");
    expect((await client.find(ProviderConfig, key))?.spec.credentialsRef).toEqual({ name: "own" });
    const cluster = {
      metadata: { name: "shop", namespace: "payments" },
      spec: { teamRef: { name: "payments" }, providerConfigRef: key },
    };
    await expect(harness.create(TenantCluster, cluster, client)).rejects.toThrow("accepts no new clusters");
    // The deletion completes as soon as its finalizer is removed.
    await client.patch(ProviderConfig, key, merge({ metadata: { labels: { a: "b" } } }));
    await client.patch(ProviderConfig, key, merge({ metadata: { finalizers: null } }));
    expect(await client.find(ProviderConfig, key)).toBeUndefined();
  });

  it("47: cannot grow a cluster that is being deleted, nor move it out of its environment", async () => {
    const client = await harness.as(ada);
    const cluster = { name: "going", namespace: "payments" };
    await harness.create(
      TenantCluster,
      { metadata: { ...cluster, ...held }, spec: { workers: { replicas: 1 } } },
      client,
    );
    await client.delete(TenantCluster, cluster);
    const grow = merge({ spec: { workers: { replicas: 500 } } });
    await expect(client.patch(TenantCluster, cluster, grow)).rejects.toThrow("the object is being deleted");
    const owner = merge({ metadata: { annotations: { "butler.butlerlabs.dev/owner": "eve@example.com" } } });
    await expect(client.patch(TenantCluster, cluster, owner)).rejects.toThrow("platform administrator");
    await client.patch(TenantCluster, cluster, merge({ metadata: { finalizers: null } }));
    expect(await client.find(TenantCluster, cluster)).toBeUndefined();
  });
});

describe("an owner whose cluster cannot be deleted", () => {
  const key = { name: "stuck", namespace: "payments" };
  const abandon = merge({ metadata: { annotations: { "butler.butlerlabs.dev/abandon": "true" } } });
  const letGo = merge({ metadata: { finalizers: null } });

  it("51: cannot give it up: a platform administrator can, after the deletion has failed", async () => {
    const client = await harness.as(ada);
    const metadata = { ...key, finalizers: [finalizers.tenantCluster] };
    await harness.create(TenantCluster, { metadata, spec: { workers: { replicas: 1 } } }, client);
    await expect(client.patch(TenantCluster, key, letGo)).rejects.toThrow("metadata.finalizers: must contain");
    await client.delete(TenantCluster, key);
    await expect(client.patch(TenantCluster, key, letGo)).rejects.toThrow("metadata.finalizers: must contain");
    await expect(client.patch(TenantCluster, key, abandon)).rejects.toThrow("platform administrator");
    await expect(harness.client.patch(TenantCluster, key, abandon)).rejects.toThrow("after a deletion has failed");
    const lastTransitionTime = new Date().toISOString();
    const overdue = { type: "DeletionOverdue", status: "True", reason: "DeadlineExceeded", message: "x" };
    const patch = { status: { conditions: [{ ...overdue, lastTransitionTime }] } };
    await harness.client.patch(TenantCluster, key, { type: "merge", subresource: "status", patch });
    await expect(client.patch(TenantCluster, key, abandon)).rejects.toThrow("platform administrator");
    await harness.client.patch(TenantCluster, key, abandon);
    await harness.client.patch(TenantCluster, key, letGo);
    expect(await client.find(TenantCluster, key)).toBeUndefined();
  });
});
