import { annotations, IPAllocation } from "@butler/api";
import type { CacheSet, KubeClient } from "@butler/kube";
import { ignoreNotFound } from "@butler/std";
import type { TenantClients } from "@butler/tenant-clients";
import { IPAddressPool, L2Advertisement, Service } from "./kinds.ts";
import type { LoadBalancerMetrics } from "./load-balancer-metrics.ts";
import { metalLbNames, metalLbNamespace, metalLbObjects } from "./metallb.ts";
import type { AssignAddress, NoteUse, PublishBlocks } from "./plan.ts";
import type { TenantWatches } from "./tenant-watches.ts";

/** What the controller works with beside its caches. */
export interface LoadBalancerPorts {
  readonly watches: Pick<TenantWatches, "read" | "look" | "release">;
  readonly assignAddress: (effect: AssignAddress, signal: AbortSignal) => Promise<void>;
  readonly publishBlocks: (effect: PublishBlocks, signal: AbortSignal) => Promise<void>;
  readonly noteUse: (effect: NoteUse, signal: AbortSignal) => Promise<void>;
  readonly patienceMs: number;
  readonly metrics: LoadBalancerMetrics;
}

/** Dependencies of the ports. */
export interface LoadBalancerPortOptions {
  readonly client: KubeClient;
  readonly caches: Pick<CacheSet, "noteWrite">;
  readonly tenants: Pick<TenantClients, "clientFor">;
  readonly watches: TenantWatches;
  readonly patienceMs: number;
  readonly metrics: LoadBalancerMetrics;
}

const fieldManager = "butler";
const limitMs = 10_000;

/** The production ports. */
export function createLoadBalancerPorts(options: LoadBalancerPortOptions): LoadBalancerPorts {
  const { client, caches, watches, patienceMs, metrics } = options;
  return {
    watches,
    patienceMs,
    metrics,
    assignAddress: (effect, signal) => assignAddress(options, effect, signal),
    publishBlocks: (effect, signal) => publishBlocks(options, effect, signal),
    noteUse: async ({ name, namespace, resourceVersion, unusedSince }, signal) => {
      const patch = { metadata: { resourceVersion, annotations: { [annotations.unusedSince]: unusedSince } } };
      const write = { type: "merge", patch, fieldManager, signal } as const;
      const written = client.patch(IPAllocation, { name, namespace }, write);
      await written.then((claim) => caches.noteWrite(IPAllocation, claim)).catch(ignoreNotFound);
    },
  };
}

async function assignAddress(options: LoadBalancerPortOptions, effect: AssignAddress, signal: AbortSignal) {
  const { tenant, service, address } = effect;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const client = await options.tenants.clientFor(tenant.kubeconfig, limit);
  const { resourceVersion, ...key } = service;
  const loadBalancer = { ingress: address === undefined ? null : [{ ip: address }] };
  const patch = { metadata: { resourceVersion }, status: { loadBalancer } };
  const write = { type: "merge", subresource: "status", patch, fieldManager, signal: limit } as const;
  const written = client.patch(Service, key, write);
  await written.then((object) => options.watches.noteWrite(tenant.cluster, Service, object)).catch(ignoreNotFound);
}

async function publishBlocks(options: LoadBalancerPortOptions, effect: PublishBlocks, signal: AbortSignal) {
  const { tenant, blocks } = effect;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const client = await options.tenants.clientFor(tenant.kubeconfig, limit);
  for (const object of metalLbObjects(blocks)) {
    const kind = object.kind === IPAddressPool.kind ? IPAddressPool : L2Advertisement;
    const written = await client.apply(kind, object, { fieldManager, force: true, signal: limit });
    options.watches.noteWrite(tenant.cluster, kind, written);
  }
  if (blocks.length > 0) return;
  const [pool, advertisement] = [metalLbNames.pool, metalLbNames.advertisement].map((name) => ({
    name,
    namespace: metalLbNamespace,
  }));
  if (advertisement !== undefined) {
    await client.delete(L2Advertisement, advertisement, { signal: limit }).catch(ignoreNotFound);
  }
  if (pool !== undefined) await client.delete(IPAddressPool, pool, { signal: limit }).catch(ignoreNotFound);
}
