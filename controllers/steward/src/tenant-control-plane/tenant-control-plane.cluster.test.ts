import { DataStore, TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import { buildClusterRole, type Interceptor } from "@butler/controller";
import { ensureTools } from "@butler/engine";
import type { EtcdAdmin } from "@butler/etcd";
import { connect, KubeConfig } from "@butler/kube";
import { builtinKinds, type DynamicObject, findCondition, type Kind, type KubeObject } from "@butler/resource";
import { crashAfterEverySideEffect, eventually, startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStoreConnections, tenantIdentity } from "../data-store/index.ts";
import { StoreWorld } from "../data-store/testing/store-world.ts";
import { Service } from "../exposure/index.ts";
import { tenantControlPlaneController } from "./controller.ts";
import { Deployment, NetworkPolicy, PodDisruptionBudget } from "./kinds.ts";
import { abandonDataStoreAnnotation, nameLabel, projectLabel, rotateAnnotation } from "./names.ts";
import type { TenantKeeper } from "./ports/kept-tenants.ts";
import { aControlPlaneManifest, type ControlPlaneTraits } from "./testing/objects.ts";
import { PlayedPods } from "./testing/played-pods.ts";
import { runSteward, type RunStewardOptions } from "./testing/run-steward.ts";

let cluster: TestCluster;
let world: StoreWorld;
let endpoint: string;
let admin: EtcdAdmin;
let pods: PlayedPods;
const playing = new AbortController();
let played: Promise<void>;
let namespaces = 0;

/** There is nobody inside of these tenants. */
const emptyTenants: TenantKeeper = {
  keep: () => Promise.resolve({ applied: 0 }),
  forget: () => Promise.resolve(),
};

beforeAll(async () => {
  const resources = [DataStore, TenantControlPlane];
  cluster = await startTestCluster({ name: "tenant-control-plane", resources, withControllerManager: true });
  await cluster.createNamespace("steward-system");
  world = await StoreWorld.create(cluster.client, (await ensureTools(["etcd"])).etcd);
  ({ endpoint } = await world.startEtcd());
  await world.createStore("shared", [endpoint]);
  admin = await createStoreConnections({ client: cluster.client }).admin("shared");
  await admin.enableAuth();
  pods = new PlayedPods(cluster);
  played = pods.play(playing.signal);
});
afterAll(async () => {
  playing.abort();
  await played;
  admin?.close();
  await world?.tidy();
  await cluster?.stop();
});

// What one test leaves would be worked on in the next.
afterEach(async () => {
  pods.areComingUp = true;
  for (const { metadata } of (await cluster.client.list(TenantControlPlane)).items) {
    const patch = { metadata: { finalizers: null } };
    await cluster.client.patch(TenantControlPlane, metadata, { type: "merge", patch }).catch(() => undefined);
    await cluster.client.delete(TenantControlPlane, metadata).catch(() => undefined);
  }
});

async function run(options: RunStewardOptions = {}) {
  return runSteward(cluster.client, { tenantSides: emptyTenants, ...options });
}

async function withSteward(
  work: (steward: Awaited<ReturnType<typeof run>>) => Promise<void>,
  options?: RunStewardOptions,
) {
  const steward = await run(options);
  try {
    await work(steward);
  } finally {
    await steward.stop();
  }
}

/** A namespace of its own with a control plane in it, and everything to look at it. */
async function freshTenant(traits: ControlPlaneTraits = {}) {
  const namespace = `tenant-${++namespaces}`;
  await cluster.createNamespace(namespace);
  const { client } = cluster;
  const at = (name: string) => ({ name, namespace });
  const tcp = () => client.get(TenantControlPlane, at("blue"));
  const conditionOf = async (type: string) => findCondition((await tcp()).status?.conditions, type);
  return {
    namespace,
    at,
    tcp,
    create: () =>
      client.create(TenantControlPlane, aControlPlaneManifest({ ...traits, metadata: { namespace } }) as KubeObject),
    secret: (suffix: string) => client.get(builtinKinds.Secret, at(`blue-${suffix}`)),
    find: (kind: Kind, name = "blue") => client.find(kind, at(name)),
    patch: (kind: Kind, name: string, patch: object) => client.patch(kind, at(name), { type: "merge", patch }),
    names: async (kind: Kind) =>
      (await client.list(kind, { namespace })).items.map(({ metadata }) => metadata.name).sort(),
    /** Waits until the control plane says this of itself. */
    told: (type: string, reason: string) => {
      let last: unknown;
      return eventually(
        async () => {
          const condition = await conditionOf(type);
          last = condition;
          const { metadata, status } = await tcp();
          return condition?.reason === reason && status?.observedGeneration === metadata.generation && (await tcp());
        },
        { timeoutMs: 20_000, what: () => `${type} ${reason}; last ${JSON.stringify(last)}` },
      );
    },
  };
}

async function rotate(tenant: Awaited<ReturnType<typeof freshTenant>>, suffix: string): Promise<void> {
  await tenant.patch(builtinKinds.Secret, `blue-${suffix}`, { metadata: { annotations: { [rotateAnnotation]: "" } } });
}

const dataOf = (secret: DynamicObject) => secret["data"] as Record<string, string>;

describe("a control plane on a real API server", () => {
  it("comes to be with few writes, each object once", async () => {
    const done: string[] = [];
    const intercept: Interceptor = async ({ verb, target }, perform) => {
      const result = await perform();
      done.push(`${verb} ${target.replace(/ .*\//, " ")}`);
      return result;
    };
    const tenant = await freshTenant({ deployment: { replicas: 2 } });
    await withSteward(
      async ({ runtime }) => {
        await tenant.create();
        const ready = await tenant.told("Ready", "UpAndRunning");
        expect(ready.status?.kubernetesResources?.version).toEqual({ version: "v1.36.3", status: "Ready" });
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
    const { uid = "" } = (await tenant.tcp()).metadata;
    expect(await admin.listUsers()).toContain(tenantIdentity(uid).user);
  });

  it("leaves nothing behind: no key, user, role, Secret, pod", async () => {
    const tenant = await freshTenant();
    await withSteward(async () => {
      await tenant.create();
      const { metadata } = await tenant.told("Ready", "UpAndRunning");
      const { user, role } = tenantIdentity(metadata.uid ?? "");
      await cluster.client.delete(TenantControlPlane, tenant.at("blue"));
      await eventually(async () => (await tenant.find(TenantControlPlane)) === undefined);
      expect(await admin.listUsers()).not.toContain(user);
      expect(await admin.listRoles()).not.toContain(role);
      for (const kind of [builtinKinds.Secret, Pod, Deployment, Service, NetworkPolicy, PodDisruptionBudget]) {
        await eventually(async () => (await tenant.names(kind)).length === 0, { what: `the end of each ${kind.kind}` });
      }
      expect(await tenant.names(builtinKinds.ConfigMap)).toEqual(["kube-root-ca.crt"]);
    });
  });

  it("can be deleted before it has begun, and while its namespace goes", async () => {
    const tenant = await freshTenant();
    await tenant.create();
    await withSteward(async () => {
      await eventually(async () => (await tenant.tcp()).metadata.finalizers !== undefined);
      await cluster.client.delete(builtinKinds.Namespace, { name: tenant.namespace });
      await eventually(
        async () => (await cluster.client.find(builtinKinds.Namespace, { name: tenant.namespace })) === undefined,
        {
          timeoutMs: 40_000,
          what: "the end of the namespace",
        },
      );
    });
    const users = await admin.listUsers();
    expect(users).toEqual(users.filter((user) => user === "root"));
  });

  it("puts right what is edited or deleted by hand", async () => {
    const tenant = await freshTenant();
    await withSteward(async () => {
      await tenant.create();
      await tenant.told("Ready", "UpAndRunning");
      const before = await tenant.secret("scheduler-kubeconfig");
      await cluster.client.delete(builtinKinds.Secret, before.metadata);
      await eventually(async () => {
        const after = await tenant.find(builtinKinds.Secret, "blue-scheduler-kubeconfig");
        return after !== undefined && after.metadata.uid !== before.metadata.uid;
      });
      await tenant.patch(builtinKinds.Secret, "blue-api-server-certificate", {
        data: { "apiserver.key": "cnViYmlzaA==" },
      });
      await eventually(
        async () => dataOf(await tenant.secret("api-server-certificate"))["apiserver.key"] !== "cnViYmlzaA==",
      );
      await tenant.patch(builtinKinds.Secret, "blue-ca", { metadata: { labels: { [projectLabel]: null } } });
      await eventually(async () => (await tenant.secret("ca")).metadata.labels?.[projectLabel] === "steward");
      await tenant.patch(Deployment, "blue", {
        spec: { replicas: 0, template: { spec: { serviceAccountName: "other" } } },
      });
      await eventually(async () => {
        const { spec } = (await tenant.find(Deployment)) as unknown as Deployment;
        return spec.replicas === 2 && spec.template.spec["serviceAccountName"] === "default";
      });
      await cluster.client.delete(Deployment, tenant.at("blue"));
      await eventually(async () => (await tenant.find(Deployment)) !== undefined);
      await tenant.told("Ready", "UpAndRunning");
    });
  });

  it("does not take a Secret that is somebody else's", async () => {
    const tenant = await freshTenant();
    const secret = { apiVersion: "v1", kind: "Secret", metadata: tenant.at("blue-ca"), data: { mine: "eA==" } };
    await cluster.client.create(builtinKinds.Secret, secret as KubeObject);
    await withSteward(async () => {
      await tenant.create();
      await eventually(async () => {
        const ready = findCondition((await tenant.tcp()).status?.conditions, "Ready");
        return ready?.message.includes("exists and does not belong to this control plane");
      });
      expect(dataOf(await tenant.secret("ca"))).toEqual({ mine: "eA==" });
      await cluster.client.delete(builtinKinds.Secret, tenant.at("blue-ca"));
      await tenant.told("Ready", "UpAndRunning");
    });
  });

  it("rolls its pods for new keys, all in one go", async () => {
    const tenant = await freshTenant({ deployment: { replicas: 2 } });
    await withSteward(async () => {
      await tenant.create();
      await tenant.told("Ready", "UpAndRunning");
      const [generation, before] = [(await tenant.find(Deployment))?.metadata.generation ?? 0, await tenant.names(Pod)];
      await Promise.all(["ca", "sa-certificate"].map((suffix) => rotate(tenant, suffix)));
      await eventually(async () => {
        const value = (await tenant.secret("ca")).metadata.annotations?.[rotateAnnotation] ?? "";
        return !Number.isNaN(Date.parse(value));
      });
      await eventually(async () => (await tenant.names(Pod)).every((name) => !before.includes(name)), {
        timeoutMs: 20_000,
      });
      await tenant.told("Ready", "UpAndRunning");
      expect((await tenant.find(Deployment))?.metadata.generation).toBeLessThanOrEqual(generation + 2);
      expect((await tenant.tcp()).status?.kubernetesResources?.version?.status).toBe("Ready");
    });
  });

  it("sleeps and wakes", async () => {
    const tenant = await freshTenant({ deployment: { replicas: 1 } });
    await withSteward(async () => {
      await tenant.create();
      await tenant.told("Ready", "UpAndRunning");
      const replicas = (count: number) =>
        tenant.patch(TenantControlPlane, "blue", { spec: { controlPlane: { deployment: { replicas: count } } } });
      await replicas(0);
      const asleep = await tenant.told("Ready", "Sleeping");
      expect(asleep.status?.kubernetesResources?.version?.status).toBe("Sleeping");
      await eventually(async () => (await tenant.names(Pod)).length === 0);
      await replicas(1);
      await tenant.told("Ready", "UpAndRunning");
    });
  });

  it("says so when its store is gone at the end, and can be told to give it up", async () => {
    const tenant = await freshTenant();
    await world.createStore("doomed", [endpoint]);
    await withSteward(async () => {
      await tenant.create();
      await tenant.patch(TenantControlPlane, "blue", { metadata: { annotations: { note: "" } } });
      await tenant.told("Ready", "UpAndRunning");
      await cluster.client.delete(DataStore, { name: "shared" });
      await cluster.client.delete(TenantControlPlane, tenant.at("blue"));
      try {
        await eventually(
          async () => findCondition((await tenant.tcp()).status?.conditions, "Deleting")?.reason === "DataStoreGone",
        );
        const message = findCondition((await tenant.tcp()).status?.conditions, "Deleting")?.message;
        expect(message).toContain(`${abandonDataStoreAnnotation}=true`);
        const annotations = { [abandonDataStoreAnnotation]: "true" };
        await tenant.patch(TenantControlPlane, "blue", { metadata: { annotations } });
        await eventually(async () => (await tenant.find(TenantControlPlane)) === undefined);
      } finally {
        await world.createStore("shared", [endpoint]);
        await cluster.client.delete(DataStore, { name: "doomed" });
      }
    });
  });

  it("needs no more rights than it asks for", async () => {
    const user = "steward-under-test";
    const rules = buildClusterRole(user, [tenantControlPlaneController()]);
    const rbac = (kind: string, plural: string): Kind => {
      return { group: "rbac.authorization.k8s.io", version: "v1", kind, plural, scope: "Cluster" };
    };
    await cluster.client.create(rbac("ClusterRole", "clusterroles"), rules);
    await cluster.client.create(rbac("ClusterRoleBinding", "clusterrolebindings"), {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: user },
      subjects: [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }],
      roleRef: { kind: "ClusterRole", name: user, apiGroup: "rbac.authorization.k8s.io" },
    } as KubeObject);
    const config = new KubeConfig();
    const { kubeconfig } = await cluster.controlPlane.issueClientCertificate({ user });
    config.loadFromString(JSON.stringify(kubeconfig));
    const connected = connect(config);
    const tenant = await freshTenant();
    const connections = createStoreConnections({ client: cluster.client });
    const steward = await runSteward(connected.client, { tenantSides: emptyTenants, connections });
    try {
      await tenant.create();
      await tenant.told("Ready", "UpAndRunning");
      await cluster.client.delete(TenantControlPlane, tenant.at("blue"));
      await eventually(async () => (await tenant.find(TenantControlPlane)) === undefined);
    } finally {
      await steward.stop();
      connections.close();
      await connected.close();
    }
  });
});

describe("Steward stopped after each of its side effects", () => {
  type Tenant = Awaited<ReturnType<typeof freshTenant>>;

  /** A world of its own for each run; everything but Steward outlives the crash. */
  function worldsFor(change: ((tenant: Tenant) => Promise<unknown>) | undefined) {
    return async () => {
      const tenant = await freshTenant({ deployment: { replicas: 1 }, version: "v1.35.4" });
      let isPrepared = change === undefined;
      await tenant.create();
      return {
        start: async (intercept: Interceptor) => {
          if (!isPrepared) {
            isPrepared = true;
            await withSteward(async () => void (await tenant.told("Ready", "UpAndRunning")));
            await change?.(tenant);
          }
          const steward = await run({ intercept });
          return { isSettled: () => isSettled(steward, tenant), stop: steward.kill };
        },
        snapshot: () => lookAround(tenant),
        tearDown: async () => {
          await tenant.patch(TenantControlPlane, "blue", { metadata: { finalizers: null } }).catch(() => undefined);
          await cluster.client.delete(TenantControlPlane, tenant.at("blue")).catch(() => undefined);
        },
      };
    };
  }

  async function isSettled({ runtime }: Awaited<ReturnType<typeof run>>, tenant: Tenant): Promise<boolean> {
    const live = (await tenant.find(TenantControlPlane)) as TenantControlPlane | undefined;
    if (live === undefined) return runtime.isIdle;
    if (live.metadata.deletionTimestamp !== undefined) return false;
    const preview = await runtime.preview(tenant.at("blue"));
    const isReady = findCondition(live.status?.conditions, "Ready")?.status === "True";
    return isReady && runtime.isIdle && preview?.isSettled === true;
  }

  async function lookAround(tenant: Tenant): Promise<unknown> {
    const live = (await tenant.find(TenantControlPlane)) as TenantControlPlane | undefined;
    const own = { namespace: tenant.namespace, labelSelector: `${nameLabel}=blue` };
    const { items } = await cluster.client.list(builtinKinds.Secret, own);
    const { spec } = ((await tenant.find(Deployment)) ?? {}) as { spec?: Deployment["spec"] };
    const users = await admin.listUsers();
    return {
      status: live?.status?.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`).sort(),
      version: live?.status?.kubernetesResources?.version,
      secrets:
        live === undefined
          ? []
          : items.map((secret) => `${secret.metadata.name} ${Object.keys(dataOf(secret)).sort().join()}`).sort(),
      images: spec?.template.spec.containers.map(({ image }) => image),
      isInStore: live !== undefined && users.includes(tenantIdentity(live.metadata.uid ?? "").user),
    };
  }

  it("finishes a creation all the same", async () => {
    const report = await crashAfterEverySideEffect(worldsFor(undefined));
    expect(report.crashes).toBeGreaterThanOrEqual(18);
    expect(report.endState).toMatchObject({ version: { version: "v1.35.4", status: "Ready" }, isInStore: true });
  });

  it("finishes a rotation all the same", async () => {
    const report = await crashAfterEverySideEffect(worldsFor((tenant) => rotate(tenant, "ca")));
    expect(report.crashes).toBeGreaterThanOrEqual(8);
    expect(report.endState).toMatchObject({ version: { status: "Ready" } });
  });

  it("finishes an upgrade all the same", async () => {
    const upgrade = (tenant: Tenant) =>
      tenant.patch(TenantControlPlane, "blue", { spec: { kubernetes: { version: "v1.36.3" } } });
    const report = await crashAfterEverySideEffect(worldsFor(upgrade));
    expect(report.crashes).toBeGreaterThanOrEqual(2);
    expect(report.endState).toMatchObject({ version: { version: "v1.36.3", status: "Ready" } });
  });

  it("finishes a deletion all the same", async () => {
    const remove = (tenant: Tenant) => cluster.client.delete(TenantControlPlane, tenant.at("blue"));
    const report = await crashAfterEverySideEffect(worldsFor(remove));
    expect(report.endState).toMatchObject({ secrets: [], isInStore: false });
    expect((await admin.listUsers()).filter((user) => user !== "root")).toEqual([]);
  });
});
