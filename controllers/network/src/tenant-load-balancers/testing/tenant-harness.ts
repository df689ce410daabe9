import { ButlerConfig, IPAllocation, NetworkPool, ProviderConfig, Team, TenantCluster } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { CacheSet, type ConnectedClient, type KubeClient } from "@butler/kube";
import { builtinKinds, keyText, type Kind, type KubeObject, type ObjectKey } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { secretKubeconfigs, TenantClients } from "@butler/tenant-clients";
import {
  connectAsController,
  eventually,
  quickQueue,
  runControllers,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { createNetworkControllers, optionalNetworkKinds } from "../../network-controllers.ts";
import { aClaim, aCluster, aPool, namespace } from "../../testing/objects.ts";
import { startTenantLoadBalancers, tenantLoadBalancerController } from "../controller.ts";
import { Service } from "../kinds.ts";
import { addressesOf } from "../services.ts";

const kinds = [IPAllocation, NetworkPool, TenantCluster, ProviderConfig];
const home = "payments";
const kubeconfig = { name: "shop-kubeconfig", namespace: home };

/** Settings of the test cluster. */
export interface ClusterTraits {
  readonly provider?: "local" | "harvester";
  readonly loadBalancer?: Readonly<Record<string, unknown>>;
  readonly maxLoadBalancerIPs?: number;
  /** Initial addresses of the cluster. */
  readonly initial?: number;
  readonly pools?: readonly NetworkPool[];
}

interface RunOptions {
  readonly intercept?: Interceptor;
  readonly patienceMs?: number;
}

/** A management cluster and a tenant, each with a real API server, and the address controllers. */
export class TenantHarness {
  readonly #undo: (() => unknown)[] = [];
  readonly management: TestCluster;
  readonly tenant: TestCluster;
  /** A client of the management cluster with only the permissions that the controller declares. */
  readonly #own: ConnectedClient;

  private constructor(management: TestCluster, tenant: TestCluster, own: ConnectedClient) {
    this.management = management;
    this.tenant = tenant;
    this.#own = own;
  }

  static async start(): Promise<TenantHarness> {
    const started: TestCluster[] = [];
    const begin = async (options: Parameters<typeof aTestCluster>[0]): Promise<TestCluster> => {
      const cluster = await aTestCluster(options);
      started.push(cluster);
      return cluster;
    };
    try {
      const tenant = await begin({});
      const management = await begin({ resources: [...kinds, ButlerConfig, Team] });
      for (const place of [namespace, home]) await management.createNamespace(place);
      return new TenantHarness(management, tenant, await asController(management));
    } catch (error) {
      await Promise.all(started.map((cluster) => cluster.stop()));
      throw error;
    }
  }

  get client(): TestCluster["client"] {
    return this.management.client;
  }

  /** Registers a cleanup for the end of the test. */
  later(step: () => unknown): void {
    this.#undo.push(step);
  }

  /**
   * Creates cluster `shop` with tenant access, a provider, pools and the claim that the tenancy controller would
   * create.
   */
  async makeCluster(traits: ClusterTraits = {}): Promise<void> {
    const { provider = "local", loadBalancer, maxLoadBalancerIPs, initial = 2, pools = [aPool()] } = traits;
    for (const pool of pools) await this.create(NetworkPool, pool);
    await this.create(ProviderConfig, {
      apiVersion: ProviderConfig.apiVersion,
      kind: ProviderConfig.kind,
      metadata: { name: "lab", namespace },
      spec: {
        provider,
        ...(provider === "local" ? {} : { credentialsRef: { name: "none" }, harvester: { networkName: "default/vm" } }),
        network: {
          mode: "ipam",
          poolRefs: pools.map(({ metadata }, priority) => ({ name: metadata.name, priority })),
          ...(loadBalancer === undefined ? {} : { loadBalancer }),
          ...(maxLoadBalancerIPs === undefined ? {} : { quotaPerTenant: { maxLoadBalancerIPs } }),
        },
      },
    } as KubeObject);
    if (initial > 0) await this.create(IPAllocation, anInitialClaim(initial));
    await this.writeKubeconfig();
    await this.create(TenantCluster, aCluster({ spec: { providerConfigRef: { name: "lab" } } }));
    const status = { tenantNamespace: home, kubeconfigSecretRef: { name: kubeconfig.name } };
    const patch = { type: "merge", subresource: "status", patch: { status } } as const;
    await this.client.patch(TenantCluster, { name: "shop", namespace: home }, patch);
  }

  /** Writes the Secret with the tenant's kubeconfig as Cluster API does. */
  async writeKubeconfig(): Promise<void> {
    const issued = await this.tenant.controlPlane.issueClientCertificate({ user: "admin", groups: ["system:masters"] });
    const value = Buffer.from(JSON.stringify(issued.kubeconfig)).toString("base64");
    const secret = { apiVersion: "v1", kind: "Secret", metadata: kubeconfig, data: { value } } as KubeObject;
    await this.client.apply(builtinKinds.Secret, secret, { fieldManager: "test" });
    this.later(() => this.client.delete(builtinKinds.Secret, kubeconfig).catch(ignoreNotFound));
  }

  /** Runs the controllers with separate caches, like one process, and records what they do. */
  async run({ intercept = (_effect, run) => run(), patienceMs = 300 }: RunOptions = {}) {
    const metrics = new MetricsRegistry();
    const written: string[] = [];
    const runtimeOptions = (client: KubeClient) => ({
      client,
      caches: new CacheSet(client, { optionalKinds: optionalNetworkKinds }),
      metrics,
      queue: quickQueue,
    });
    const [common, own] = [runtimeOptions(this.client), runtimeOptions(this.#own.client)];
    const tenants = new TenantClients({
      source: secretKubeconfigs({ client: own.client }),
      requestTimeoutMs: 3_000,
      probeTimeoutMs: 1_000,
      backoff: { initialMs: 50, maximumMs: 400, factor: 2, jitter: 0.5 },
    });
    const loadBalancers = startTenantLoadBalancers({
      ...own,
      tenants,
      patienceMs,
      intercept: async (effect, run) => {
        const result = await intercept(effect, run);
        written.push(`${effect.verb} ${effect.target}`);
        return result;
      },
    });
    const pools = createNetworkControllers(common);
    const runtimes = [...pools, loadBalancers];
    const running = [await runControllers(common.caches, pools), await runControllers(own.caches, [loadBalancers])];
    const end = async (): Promise<void> => {
      await Promise.all(running.map(({ kill }) => kill()));
      await tenants.close();
    };
    this.later(end);
    const isIdle = (): boolean => runtimes.every((runtime) => runtime.isIdle);
    return { written, metrics, end, isIdle };
  }

  /** Creates a Service in the tenant. */
  async createService(name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const ports = [{ port: 80 }];
    await this.tenant.client.create(Service, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "default" },
      spec: { type: "LoadBalancer", selector: { app: name }, ports, ...spec },
    } as KubeObject);
  }

  async deleteService(name: string): Promise<void> {
    await this.tenant.client.delete(Service, { name, namespace: "default" });
  }

  /** The addresses of a Service in the tenant. */
  async addressOf(name: string): Promise<string | undefined> {
    const service = await this.tenant.client.get(Service, { name, namespace: "default" });
    return addressesOf(service as KubeObject as Service)[0];
  }

  /** Names and addresses of all load balancers in the tenant. */
  async services(): Promise<(readonly [string, string | undefined])[]> {
    const { items } = await this.tenant.client.list(Service, { fieldSelector: "spec.type=LoadBalancer" });
    const services = items.map((item) => item as KubeObject as Service);
    return services
      .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1))
      .map((service) => [service.metadata.name, addressesOf(service)[0]]);
  }

  /** Waits until a Service has an address, and returns it. */
  async served(name: string): Promise<string> {
    return eventually(() => this.addressOf(name), { timeoutMs: 20_000, what: `an address of ${name}` });
  }

  /** The claims of the cluster that are not being deleted, by name. */
  async claims(): Promise<IPAllocation[]> {
    const { items } = await this.client.list(IPAllocation, { namespace });
    return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** Names and addresses of the claims created for waiting Services. */
  async growth(): Promise<string[]> {
    const grown = (await this.claims()).filter(({ metadata }) => metadata.name !== "shop-lb");
    return grown
      .map(({ spec, status }) => `${spec.poolRef.name} ${status?.cidr ?? status?.startAddress ?? status?.phase}`)
      .sort();
  }

  /** Reasons of the events about the cluster. */
  async events(): Promise<string[]> {
    const { items } = await this.client.list(builtinKinds.Event, { namespace: home });
    return [...new Set(items.map(({ reason }) => String(reason)))].sort();
  }

  /** Creates an object from a builder, without the fields that only the API server may set. */
  async create(kind: Kind, object: KubeObject): Promise<void> {
    const { name, namespace: place, labels, annotations } = object.metadata;
    await this.client.create(kind, { ...object, metadata: { name, namespace: place, labels, annotations } });
  }

  /** Stops everything in reverse order, and deletes all objects. */
  async tidy(): Promise<void> {
    for (const step of this.#undo.splice(0).reverse()) await step();
    for (const kind of [...kinds, builtinKinds.Event]) {
      for (const { metadata } of (await this.client.list(kind)).items) await this.#tidyAway(kind, metadata);
    }
    for (const { metadata } of (await this.tenant.client.list(Service)).items) {
      if (metadata.name !== "kubernetes") await this.tenant.client.delete(Service, metadata).catch(ignoreNotFound);
    }
  }

  async stop(): Promise<void> {
    try {
      await this.tidy();
    } finally {
      await this.#own.close();
      await Promise.all([this.management.stop(), this.tenant.stop()]);
    }
  }

  async #tidyAway(kind: Kind, key: ObjectKey): Promise<void> {
    const patch = { metadata: { finalizers: null } };
    await this.client.patch(kind, key, { type: "merge", patch }).catch(ignoreNotFound);
    await this.client.delete(kind, key).catch(ignoreNotFound);
    const isGone = async (): Promise<boolean> => (await this.client.find(kind, key)) === undefined;
    await eventually(isGone, { what: `the end of ${keyText(key)}` });
  }
}

const asController = (management: TestCluster): Promise<ConnectedClient> =>
  connectAsController(management, tenantLoadBalancerController.name, [tenantLoadBalancerController]);

function anInitialClaim(count: number): IPAllocation {
  const labels = { "butler.butlerlabs.dev/allocation-role": "initial" };
  return aClaim({ name: "shop-lb", labels, spec: { count } });
}
