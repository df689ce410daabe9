import type { ApiClient } from "@butler/kube";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { catalog } from "../keeping/tenant-catalog.ts";
import { TenantSides } from "../keeping/tenant-sides.ts";
import { keptKindOf, keptKinds } from "../kinds.ts";
import { tenantObjects, type TenantObjectsInput } from "../objects/tenant-objects.ts";
import { aTenantInput } from "./tenant-input.ts";

/** Keys of the objects that tests change. */
export const tenantKey = "blue-uid";
export const coreDNSKey = { namespace: "kube-system", name: "coredns" } as const;
export const roleKey = { namespace: "kube-system", name: "kubeadm:kubelet-config" } as const;

/** The objects of a tenant with both add-ons. */
export const objectsWith = (change: Partial<TenantObjectsInput> = {}): KubeObject[] =>
  tenantObjects(aTenantInput({ coreDNS: {}, kubeProxy: {}, ...change }));

/** Options of a test; by default both add-ons in a single tenant. */
export interface Wish {
  readonly objects?: readonly KubeObject[];
  readonly kubeconfig?: string;
  readonly key?: string;
}

/** One process of Steward. */
export interface StewardProcess {
  readonly sides: TenantSides;
  /** Returns the number of changes. */
  readonly keep: (wish?: Wish) => Promise<number>;
  /** Number of requests sent. */
  readonly requests: (labels?: Readonly<Record<string, string>>) => Promise<number>;
  /** Number of repairs of an object. */
  readonly repairs: () => Promise<number>;
}

/** An API server that allows privileged pods, as the tenant's, for the tests of a file. */
export async function startKeptTenant(): Promise<{
  readonly cluster: TestCluster;
  readonly client: ApiClient;
  readonly tenant: KeptTenant;
}> {
  const extraArgs = { "allow-privileged": "true" };
  const cluster = await aTestCluster({ mine: { components: { "kube-apiserver": { extraArgs } } } });
  const { client } = cluster;
  return { cluster, client, tenant: new KeptTenant(client, cluster.controlPlane.kubeconfig) };
}

/** A real API server as the tenant's, reconciled by any number of Steward processes in succession. */
export class KeptTenant {
  readonly #client: ApiClient;
  readonly #kubeconfig: string;
  readonly #started: TenantSides[] = [];

  constructor(client: ApiClient, kubeconfig: object) {
    this.#client = client;
    this.#kubeconfig = JSON.stringify(kubeconfig);
  }

  start(options: { requestTimeoutMs?: number } = {}): StewardProcess {
    const metrics = new MetricsRegistry();
    const sides = new TenantSides({ metrics, ...options });
    this.#started.push(sides);
    return {
      sides,
      keep: async ({ key = tenantKey, objects = objectsWith(), kubeconfig = this.#kubeconfig } = {}) => {
        const tenant = { key, kubeconfig, objects, decidesRequests: false };
        return (await sides.keep(tenant, AbortSignal.timeout(30_000))).applied;
      },
      requests: (labels = {}) => metrics.value("butler_api_requests_total", labels),
      repairs: () => metrics.value("butler_tenant_writes_total", { occasion: "repaired" }),
    };
  }

  /** Stops every process and deletes what they created. */
  async clear(): Promise<void> {
    await Promise.all(this.#started.splice(0).map((sides) => sides.close()));
    for (const skeleton of catalog.values()) {
      const live = await this.#client.find(keptKindOf(skeleton), skeleton.metadata);
      if (live !== undefined) await this.#client.delete(keptKindOf(skeleton), skeleton.metadata);
    }
  }

  role(): Promise<DynamicObject> {
    return this.#client.get(keptKinds.Role, roleKey);
  }

  async corefile(): Promise<string> {
    const { data } = await this.#client.get(keptKinds.ConfigMap, coreDNSKey);
    return (data as Record<string, string>)["Corefile"] ?? "";
  }

  async editCorefile(text: string): Promise<void> {
    await this.#client.patch(keptKinds.ConfigMap, coreDNSKey, { type: "merge", patch: { data: { Corefile: text } } });
  }
}
