import { IPAllocation, NetworkPool } from "@butler/api";
import { Machine } from "@butler/api-external";
import type { CacheReader, ObserveContext } from "@butler/controller";
import { builtinKinds, isBeingDeleted, keyOf, keyText } from "@butler/resource";
import { byPool, type PoolToServe } from "../shared/kinds.ts";
import { decidePool, needsFreshView } from "./decision.ts";
import { type InfrastructureUse, usesOf } from "./infrastructure.ts";
import type { PoolView } from "./pool-view.ts";
import type { NetworkPoolPorts } from "./ports.ts";

/**
 * Looks at a pool: into the caches first, and at the API server itself only when there is something to give. So a pool
 * in
 * which nothing happens costs nothing, and a cache that is behind costs a look and never an address.
 */
export async function observe({
  primary,
  read,
  ports,
  now,
  signal,
}: ObserveContext<typeof PoolToServe, NetworkPoolPorts>): Promise<PoolView | undefined> {
  const key = keyOf(primary);
  const pool = read.get(NetworkPool, key);
  if (pool === undefined) return undefined;
  const claims = read.byIndex(IPAllocation, byPool, keyText(key));
  const uses = readUses(read);
  const glance: PoolView = { pool, claims, others: read.list(NetworkPool), uses, isFresh: false };
  const isSettled = !isBeingDeleted(pool) && !needsFreshView(glance, decidePool(glance, now));
  if (isSettled) return glance;
  const fresh = await ports.look(key, signal);
  return fresh && { ...fresh, uses, isFresh: true };
}

function readUses(read: CacheReader): InfrastructureUse[] {
  return usesOf({
    services: read.list(builtinKinds.Service),
    nodes: read.list(builtinKinds.Node),
    machines: read.isServed(Machine) ? read.list(Machine) : [],
  });
}
