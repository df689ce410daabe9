import { finalizers, IPAllocation, NetworkPool } from "@butler/api";
import { Machine } from "@butler/api-external";
import { type CacheReader, defineController, via } from "@butler/controller";
import { builtinKinds, type Kind, keyOf, type ObjectKey } from "@butler/resource";
import { poolKeyOf, poolTextOf } from "../shared/claims.ts";
import { byPool, PoolToServe } from "../shared/kinds.ts";
import { isLoadBalancer } from "./infrastructure.ts";
import { observe } from "./observe.ts";
import { performers } from "./perform.ts";
import { plan, type PoolEffect } from "./plan.ts";
import type { NetworkPoolPorts } from "./ports.ts";
import type { PoolView } from "./pool-view.ts";
import { activationOf } from "./activation.ts";

/** Optional kinds to search for addresses in use. */
export const optionalInfrastructureKinds: readonly Kind[] = [Machine];

/** Allocates the addresses of pools to claims and maintains the counts. No other controller allocates addresses. */
export const networkPoolController = defineController<typeof PoolToServe, PoolView, PoolEffect, NetworkPoolPorts>({
  name: "network-pool",
  primary: PoolToServe,
  watches: [
    via(IPAllocation, (claim) => [poolKeyOf(claim)]),
    // Whether a pool can allocate addresses depends on the pools that overlap it.
    via(NetworkPool, (_pool, read) => allPools(read, (pool) => activationOf(pool) !== "active")),
    via(builtinKinds.Service, (service, read) => (isLoadBalancer(service) ? allPools(read) : [])),
    via(builtinKinds.Node, (_node, read) => allPools(read)),
    via(Machine, (_machine, read) => allPools(read)),
  ],
  indexes: [{ kind: IPAllocation, name: byPool, of: poolTextOf }],
  permissions: [
    {
      apiGroups: [NetworkPool.group],
      resources: [`${NetworkPool.plural}/status`, `${IPAllocation.plural}/status`],
      verbs: ["patch"],
    },
  ],
  finalizer: finalizers.networkPool,
  observe,
  plan,
  perform: performers,
});

function allPools(read: CacheReader, isMeant: (pool: NetworkPool) => boolean = () => true): ObjectKey[] {
  return read.list(NetworkPool).filter(isMeant).map(keyOf);
}
