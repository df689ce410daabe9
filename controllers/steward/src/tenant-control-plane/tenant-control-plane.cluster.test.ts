import { DataStore, type TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import type { Interceptor } from "@butler/controller";
import type { EtcdAdmin } from "@butler/etcd";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, findCondition } from "@butler/resource";
import { connectAsController, eventually, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStoreConnections, tenantIdentity } from "../data-store/index.ts";
import type { StoreHarness } from "../data-store/testing/store-harness.ts";
import { Service } from "../exposure/index.ts";
import { tenantControlPlaneController } from "./controller.ts";
import { Deployment, NetworkPolicy, PodDisruptionBudget } from "./kinds.ts";
import { abandonDataStoreAnnotation, projectLabel, rotateAnnotation } from "./names.ts";
import type { ControlPlaneTraits } from "./testing/objects.ts";
import { type SharedStore, startSharedStore } from "./testing/shared-store.ts";
import { emptyTenants, secretDataOf, TestTenant, withSteward } from "./testing/tenant-harness.ts";
import { runSteward } from "./testing/run-steward.ts";

let store: SharedStore | undefined;
let cluster: TestCluster;
let client: ApiClient;
let harness: StoreHarness;
let endpoint: string;
let admin: EtcdAdmin;
const tenants: TestTenant[] = [];

beforeAll(async () => {
  store = await startSharedStore();
  ({ cluster, harness, endpoint, admin } = store);
  ({ client } = cluster);
});
afterAll(() => store?.stop());

// Leftovers of one test would be reconciled in the next.
afterEach(async () => {
  for (const tenant of tenants.splice(0)) await tenant.drop();
});

async function freshTenant(traits: ControlPlaneTraits = {}): Promise<TestTenant> {
  const tenant = new TestTenant(client, `tenant-${crypto.randomUUID().slice(0, 8)}`, traits);
  tenants.push(tenant);
  await cluster.createNamespace(tenant.namespace);
  return tenant;
}

/** Waits until the status of a control plane matches. */
async function reporting(tenant: TestTenant, type: string, reason: string): Promise<TenantControlPlane> {
  await eventually(() => tenant.says(type, reason), { timeoutMs: 20_000, what: `${type} ${reason}` });
  return tenant.controlPlane();
}

const ready = (tenant: TestTenant) => reporting(tenant, "Ready", "UpAndRunning");

async function createdTenant(traits: ControlPlaneTraits = {}): Promise<TestTenant> {
  const tenant = await freshTenant(traits);
  await tenant.create();
  await ready(tenant);
  return tenant;
}

describe("a control plane on a real API server", () => {
  it("is created with few writes, each object once", async () => {
    const done: string[] = [];
    const intercept: Interceptor = async ({ verb, target }, perform) => {
      const result = await perform();
      done.push(`${verb} ${target.replace(/ .*\//, " ")}`);
      return result;
    };
    const tenant = await freshTenant({ deployment: { replicas: 2 } });
    await withSteward(
      client,
      async ({ runtime }) => {
        await tenant.create();
        const { status } = await ready(tenant);
        expect(status?.kubernetesResources?.version).toEqual({ version: "v1.36.3", status: "Ready" });
        await eventually(() => runtime.isIdle);
      },
      { intercept },
    );
    const applied = done.filter((deed) => deed.startsWith("apply"));
    expect(applied).toHaveLength(new Set(applied).size);
    expect(applied.filter((deed) => !deed.startsWith("apply secrets"))).toEqual([
      "apply services blue",
      "apply networkpolicies.networking.k8s.io blue",
      "apply configmaps blue-authentication-configuration",
      "apply deployments.apps blue",
      "apply poddisruptionbudgets.policy blue",
    ]);
    expect(applied.filter((deed) => deed.startsWith("apply secrets"))).toHaveLength(10);
    expect(done.filter((deed) => deed.startsWith("status")).length).toBeLessThanOrEqual(4);
    expect(done.filter((deed) => deed.startsWith("finalizer"))).toHaveLength(1);
    expect(await tenant.names(Pod)).toHaveLength(2);
    expect(await admin.listUsers()).toContain(tenantIdentity(tenant.uid).user);
  });

  it("leaves nothing in the store, and owns everything else for garbage collection", async () => {
    await withSteward(client, async () => {
      const tenant = await createdTenant();
      for (const kind of [Deployment, builtinKinds.Secret, Service, NetworkPolicy, PodDisruptionBudget]) {
        for (const { metadata } of (await client.list(kind, { namespace: tenant.namespace })).items) {
          const owner = { uid: tenant.uid, controller: true };
          expect(metadata.ownerReferences, `${kind.kind} ${metadata.name}`).toMatchObject([owner]);
        }
      }
      const { user, role, prefix } = tenantIdentity(tenant.uid);
      await tenant.delete();
      await eventually(() => tenant.isGone());
      expect(await admin.listUsers()).not.toContain(user);
      expect(await admin.listRoles()).not.toContain(role);
      expect(await admin.countKeys(prefix)).toBe(0);
      await eventually(async () => (await tenant.names(Pod)).length === 0, { what: "the end of the pods" });
    });
  });

  it("can be deleted while it is being created, and with its namespace", async () => {
    const tenant = await freshTenant();
    const { namespace } = tenant;
    await withSteward(client, async () => {
      await tenant.create();
      await eventually(async () => (await tenant.controlPlane()).metadata.finalizers !== undefined);
      await client.delete(builtinKinds.Namespace, { name: namespace });
      const isGone = async () => (await client.find(builtinKinds.Namespace, { name: namespace })) === undefined;
      await eventually(isGone, { timeoutMs: 40_000, what: "the end of the namespace" });
    });
    expect(await admin.listUsers()).not.toContain(tenantIdentity(tenant.uid).user);
  });

  it("repairs what is edited or deleted manually", async () => {
    await withSteward(client, async () => {
      const tenant = await createdTenant();
      const before = await tenant.secret("scheduler-kubeconfig");
      await client.delete(builtinKinds.Secret, before.metadata);
      await eventually(async () => (await tenant.secret("scheduler-kubeconfig")).metadata.uid !== before.metadata.uid);

      const rubbish = { data: { "apiserver.key": "cnViYmlzaA==" } };
      await tenant.patch(builtinKinds.Secret, "blue-api-server-certificate", rubbish);
      const keyOf = async () => secretDataOf(await tenant.secret("api-server-certificate"))["apiserver.key"];
      await eventually(async () => (await keyOf()) !== rubbish.data["apiserver.key"]);

      await tenant.patch(builtinKinds.Secret, "blue-ca", { metadata: { labels: { [projectLabel]: null } } });
      await eventually(async () => (await tenant.secret("ca")).metadata.labels?.[projectLabel] === "steward");

      const edit = { spec: { replicas: 0, template: { spec: { serviceAccountName: "other" } } } };
      await tenant.patch(Deployment, "blue", edit);
      await eventually(async () => {
        const { spec } = (await tenant.find(Deployment)) as unknown as Deployment;
        return spec.replicas === 2 && spec.template.spec["serviceAccountName"] === "default";
      });
      await client.delete(Deployment, tenant.at());
      await eventually(async () => (await tenant.find(Deployment)) !== undefined);
      await ready(tenant);
    });
  });

  it("does not adopt a Secret of another owner", async () => {
    const tenant = await freshTenant();
    const secret = { apiVersion: "v1", kind: "Secret", metadata: tenant.at("blue-ca"), data: { mine: "eA==" } };
    await client.create(builtinKinds.Secret, secret);
    await withSteward(client, async () => {
      await tenant.create();
      await eventually(async () => {
        const condition = findCondition((await tenant.controlPlane()).status?.conditions, "Ready");
        return condition?.message.includes("already exists and is not owned by this control plane");
      });
      expect(secretDataOf(await tenant.secret("ca"))).toEqual({ mine: "eA==" });
      await client.delete(builtinKinds.Secret, tenant.at("blue-ca"));
      await ready(tenant);
    });
  });

  it("rolls its pods for new keys once", async () => {
    await withSteward(client, async () => {
      const tenant = await createdTenant({ deployment: { replicas: 2 } });
      const generation = (await tenant.find(Deployment))?.metadata.generation ?? 0;
      const before = await tenant.names(Pod);
      await Promise.all([tenant.rotate("ca"), tenant.rotate("sa-certificate")]);
      await eventually(async () => {
        const value = (await tenant.secret("ca")).metadata.annotations?.[rotateAnnotation] ?? "";
        return !Number.isNaN(Date.parse(value));
      });
      const isRolled = async () => (await tenant.names(Pod)).every((name) => !before.includes(name));
      await eventually(isRolled, { timeoutMs: 20_000 });
      const { status } = await ready(tenant);
      // The two requests may be seen one after the other.
      expect((await tenant.find(Deployment))?.metadata.generation).toBeLessThanOrEqual(generation + 2);
      expect(status?.kubernetesResources?.version?.status).toBe("Ready");
    });
  });

  it("scales to zero and back", async () => {
    await withSteward(client, async () => {
      const tenant = await createdTenant({ deployment: { replicas: 1 } });
      await tenant.patchSpec({ controlPlane: { deployment: { replicas: 0 } } });
      const { status } = await reporting(tenant, "Ready", "Sleeping");
      expect(status?.kubernetesResources?.version?.status).toBe("Sleeping");
      await eventually(async () => (await tenant.names(Pod)).length === 0);
      await tenant.patchSpec({ controlPlane: { deployment: { replicas: 1 } } });
      await ready(tenant);
    });
  });

  it("reports a missing store during deletion, and can abandon it", async () => {
    await harness.createStore("doomed", [endpoint]);
    await withSteward(client, async () => {
      const tenant = await createdTenant({ spec: { dataStore: "doomed" } });
      await client.delete(DataStore, { name: "doomed" });
      await tenant.delete();
      const deleting = async () => findCondition((await tenant.controlPlane()).status?.conditions, "Deleting");
      await eventually(async () => (await deleting())?.reason === "DataStoreGone");
      expect((await deleting())?.message).toContain(`${abandonDataStoreAnnotation}=true`);
      await tenant.annotate({ [abandonDataStoreAnnotation]: "true" });
      await eventually(() => tenant.isGone());
    });
  });

  it("needs only its declared permissions", async () => {
    const limited = await connectAsController(cluster, "steward-under-test", [tenantControlPlaneController()]);
    const connections = createStoreConnections({ client });
    const steward = await runSteward(limited.client, { tenantSides: emptyTenants, connections });
    try {
      const tenant = await createdTenant();
      await tenant.delete();
      await eventually(() => tenant.isGone());
    } finally {
      await steward.stop();
      connections.close();
      await limited.close();
    }
  });
});
