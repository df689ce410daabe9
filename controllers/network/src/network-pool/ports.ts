import { IPAllocation, NetworkPool } from "@butler/api";
import { type CacheSet, type KubeClient, listAll, type ObjectFor } from "@butler/kube";
import type { Kind, ObjectKey } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { createStatusWriter, type StatusWriter } from "../shared/status-writer.ts";
import { allocatorName } from "./plan.ts";
import { claimCounter } from "./pool-metrics.ts";
import type { PoolView } from "./pool-view.ts";

/** Ports of the NetworkPool controller. */
export interface NetworkPoolPorts {
  /** Reads a pool and its claims from the API server; undefined if it no longer exists. */
  readonly look: (key: ObjectKey, signal: AbortSignal) => Promise<FreshLook | undefined>;
  readonly writeStatus: StatusWriter;
  /** Counts a claim that was served or refused. */
  readonly countClaim: (pool: ObjectKey, isServed: boolean) => void;
}

/** A pool as read from the API server. */
export type FreshLook = Pick<PoolView, "pool" | "claims" | "others">;

/** Dependencies of the ports. */
export interface NetworkPortOptions {
  readonly client: KubeClient;
  readonly caches: Pick<CacheSet, "noteWrite">;
  readonly metrics?: MetricsRegistry | undefined;
}

/** The production ports. */
export function createNetworkPoolPorts(options: NetworkPortOptions): NetworkPoolPorts {
  const { client, metrics = new MetricsRegistry() } = options;
  return {
    look: (key, signal) => look(client, key, signal),
    writeStatus: createStatusWriter({ ...options, fieldManager: allocatorName }),
    countClaim: claimCounter(metrics),
  };
}

/**
 * The pool first, then its claims: a grant that is removed after the first read is then part of the second. No resource
 * version is set, so that the responses do not come from a stale cache.
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
