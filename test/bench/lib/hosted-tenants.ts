import { TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import { CacheSet, type ConnectedClient, connect, loadKubeConfig } from "@butler/kube";
import { apiVersionOf, builtinKinds, type DynamicObject, isConditionTrue, type Kind } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { tenantVersion } from "../../e2e/lib/cluster-objects.ts";
import { CreationTimeline, type Timeline } from "./creation-timeline.ts";
import { firstReady, reachOf } from "./readiness.ts";

const namespaced = (group: string, kind: string, plural: string): Kind => {
  return { group, version: "v1", kind, plural, scope: "Namespaced" };
};

/** All objects of a tenant in the management cluster. */
export const tenantKinds = {
  tenantControlPlane: TenantControlPlane,
  pod: Pod,
  secret: builtinKinds.Secret,
  configMap: builtinKinds.ConfigMap,
  service: namespaced("", "Service", "services"),
  deployment: namespaced("apps", "Deployment", "deployments"),
  replicaSet: namespaced("apps", "ReplicaSet", "replicasets"),
  networkPolicy: namespaced("networking.k8s.io", "NetworkPolicy", "networkpolicies"),
  endpointSlice: namespaced("discovery.k8s.io", "EndpointSlice", "endpointslices"),
} as const satisfies Readonly<Record<string, Kind>>;

/** Objects that exist in every namespace by default. */
const rootAuthority = "kube-root-ca.crt";
const slowMachineMs = 300_000;

/** Tenants of Steward in a separate namespace, observed by watches, so that observation is cheap. */
export class HostedTenants {
  readonly namespace: string;
  readonly client: ConnectedClient["client"];
  readonly #connected: ConnectedClient;
  readonly #caches: CacheSet;
  readonly #stopping = new AbortController();

  private constructor(kubeconfig: string, namespace: string) {
    this.namespace = namespace;
    this.#connected = connect(loadKubeConfig(kubeconfig), { userAgent: "butler-bench" });
    this.client = this.#connected.client;
    this.#caches = new CacheSet(this.client);
  }

  /** Creates the namespace and watches its objects. */
  static async open(kubeconfig: string, namespace: string): Promise<HostedTenants> {
    const tenants = new HostedTenants(kubeconfig, namespace);
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    await tenants.client.create(builtinKinds.Namespace, object);
    for (const kind of Object.values(tenantKinds)) tenants.#cacheOf(kind);
    await tenants.#caches.start(tenants.#stopping.signal);
    const hasRoot = (): boolean => tenants.#cacheOf(tenantKinds.configMap).size === 1;
    await eventually(hasRoot, { what: `ConfigMap ${rootAuthority}` });
    return tenants;
  }

  /** Creates tenants concurrently, and returns the seconds until /readyz of each responded through its Service. */
  measure(names: readonly string[]): Promise<number[]> {
    return Promise.all(
      names.map(async (name) => {
        const startedAt = performance.now();
        await this.#create(name);
        return ((await firstReady(reachOf(await this.#adminKubeconfig(name)))) - startedAt) / 1_000;
      }),
    );
  }

  /** The same for one tenant, with the time of each step. */
  async measureSteps(name: string): Promise<Timeline> {
    const timeline = new CreationTimeline((kind) => this.#cacheOf(kind));
    try {
      await this.#create(name);
      timeline.mark("accepted");
      const reach = reachOf(await this.#adminKubeconfig(name));
      const direct = timeline.followDirectly(reach);
      timeline.mark("ready through the Service", await firstReady(reach));
      await direct;
      await this.ready([name]);
      timeline.mark("TenantControlPlane Ready");
      return await timeline.finish();
    } finally {
      timeline.close();
    }
  }

  /** Waits until Steward has no work left for them. */
  async ready(names: readonly string[]): Promise<void> {
    const isReady = (name: string): boolean => {
      const tcp = this.#cacheOf(TenantControlPlane).get({ name, namespace: this.namespace });
      return isConditionTrue(tcp?.status?.conditions, "Ready");
    };
    const missing = (): string => `Ready of ${names.filter((name) => !isReady(name)).join(", ")}`;
    await eventually(() => names.every(isReady), { timeoutMs: slowMachineMs, what: missing });
  }

  /** Deletes tenants concurrently, and returns the seconds until nothing is left of any. */
  async remove(names: readonly string[], isStoreClean: () => Promise<boolean>): Promise<number> {
    const startedAt = performance.now();
    await Promise.all(names.map((name) => this.client.delete(TenantControlPlane, { name, namespace: this.namespace })));
    const left = (): string => JSON.stringify(this.objects());
    const isGone = async (): Promise<boolean> => Object.keys(this.objects()).length === 0 && (await isStoreClean());
    await eventually(isGone, { timeoutMs: slowMachineMs, intervalMs: 50, what: () => `the end of ${left()}` });
    return (performance.now() - startedAt) / 1_000;
  }

  /** Number of objects per kind, by plural; kinds without objects are omitted. */
  objects(): Record<string, number> {
    const counts = Object.values<Kind>(tenantKinds).map((kind) => {
      const objects = this.#cacheOf(kind).list() as readonly { metadata: { name: string } }[];
      return [kind.plural, objects.filter(({ metadata }) => metadata.name !== rootAuthority).length] as const;
    });
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  /** The only pod of a tenant. */
  pod(name: string): Pod | undefined {
    const pods = this.#cacheOf(Pod).list() as unknown as Pod[];
    return pods.find(({ metadata }) => metadata.labels?.["steward.butlerlabs.dev/name"] === name);
  }

  /** The Deployment of a tenant as plain data. */
  deployment(name: string): DynamicObject | undefined {
    return this.#cacheOf(tenantKinds.deployment).get({ name, namespace: this.namespace });
  }

  /** The texts in a ConfigMap. */
  configMap(name: string): Readonly<Record<string, string>> {
    const object = this.#cacheOf(tenantKinds.configMap).get({ name, namespace: this.namespace });
    return (object?.["data"] ?? {}) as Record<string, string>;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#caches.stopped();
    await this.#connected.close();
  }

  async #create(name: string): Promise<void> {
    await this.client.create(TenantControlPlane, {
      apiVersion: apiVersionOf(TenantControlPlane),
      kind: TenantControlPlane.kind,
      metadata: { name, namespace: this.namespace },
      spec: {
        controlPlane: { deployment: { replicas: 1 }, service: { serviceType: "ClusterIP" } },
        kubernetes: { version: tenantVersion, kubelet: {} },
      },
    } as unknown as DynamicObject);
  }

  async #adminKubeconfig(name: string): Promise<string> {
    const key = { name: `${name}-admin-kubeconfig`, namespace: this.namespace };
    const secret = await eventually(() => this.#cacheOf(tenantKinds.secret).get(key), {
      timeoutMs: slowMachineMs,
      what: `Secret ${key.name}`,
    });
    const data = secret["data"] as Record<string, string>;
    return Buffer.from(data["admin.conf"] ?? "", "base64").toString();
  }

  #cacheOf<K extends Kind>(kind: K) {
    return this.#caches.of(kind, { namespace: this.namespace });
  }
}
