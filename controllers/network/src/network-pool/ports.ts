import { IPAllocation, NetworkPool } from "@butler/api";
import { type CacheSet, type KubeClient, listAll, type ObjectFor } from "@butler/kube";
import type { Kind, ObjectKey } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { createStatusWriter, type StatusWriter } from "../shared/status-writer.ts";
import { allocatorName } from "./plan.ts";
import { claimCounter } from "./pool-metrics.ts";
import type { PoolView } from "./pool-view.ts";

/** What the controller of NetworkPools works with beside its caches. */
export interface NetworkPoolPorts {
  /** Reads a pool and everybody who draws from it from the API server; undefined when it is gone. */
  readonly look: (key: ObjectKey, signal: AbortSignal) => Promise<FreshLook | undefined>;
  readonly writeStatus: StatusWriter;
  /** Counts a claim that was served or refused. */
  readonly countClaim: (pool: ObjectKey, isServed: boolean) => void;
}

/** What the API server itself says of a pool. */
export type FreshLook = Pick<PoolView, "pool" | "claims" | "others">;

/** What the ports are made with. */
export interface NetworkPortOptions {
  readonly client: KubeClient;
  readonly caches: Pick<CacheSet, "noteWrite">;
  readonly metrics?: MetricsRegistry | undefined;
}

/** The ports as they are in production. */
export function createNetworkPoolPorts(options: NetworkPortOptions): NetworkPoolPorts {
  const { client, metrics = new MetricsRegistry() } = options;
  return {
    look: (key, signal) => look(client, key, signal),
    writeStatus: createStatusWriter({ ...options, fieldManager: allocatorName }),
    countClaim: claimCounter(metrics),
  };
}

/**
 * The pool first, then its claims: what leaves the pool's list of grants later than the first look is then among the
 * claims of the second. No resource version is named, so that the answers are none of a cache that is behind.
 */
async function look(client: KubeClient, key: ObjectKey, signal: AbortSignal): Promise<FreshLook | undefined> {
  const pool = await client.find(NetworkPool, key, signal);
  if (pool === undefined) return undefined;
  const { namespace } = key;
  const fieldSelector = `spec.poolRef.name=${key.name}`;
  const claims = await all(client, IPAllocation, { namespace, fieldSelector, signal });
  const others = await all(client, NetworkPool, { signal });
  return { pool, claims, others };
}

async function all<K extends Kind>(
  client: KubeClient,
  kind: K,
  options: Parameters<typeof listAll>[2],
): Promise<ObjectFor<K>[]> {
  const objects: ObjectFor<K>[] = [];
  for await (const object of listAll(client, kind, options)) objects.push(object);
  return objects;
}
