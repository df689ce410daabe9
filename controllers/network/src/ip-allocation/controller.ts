import { finalizers, IPAllocation, NetworkPool, TenantCluster } from "@butler/api";
import { type CacheReader, defineController, type ObserveContext, via } from "@butler/controller";
import { isBeingDeleted, keyOf, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import { poolKeyOf, poolTextOf } from "../shared/claims.ts";
import { byPool, ClaimToServe } from "../shared/kinds.ts";
import { type ClaimEffect, type Observed, plan } from "./plan.ts";
import type { IpAllocationPorts } from "./ports.ts";

const byCluster = "cluster";

/** Reads the inputs of the plan. A cluster counts as deleted only if the API server confirms it. */
async function observe(context: ObserveContext<typeof ClaimToServe, IpAllocationPorts>): Promise<Observed | undefined> {
  const { primary, read, ports, signal } = context;
  const claim = read.get(IPAllocation, keyOf(primary));
  if (claim === undefined) return undefined;
  const cluster = claim.spec.tenantClusterRef;
  const isMissed = !isBeingDeleted(claim) && read.get(TenantCluster, cluster) === undefined;
  return {
    claim,
    pool: read.get(NetworkPool, poolKeyOf(claim)),
    isOrphan: isMissed && !(await ports.hasCluster(cluster, signal)),
    orphanGraceMs: ports.orphanGraceMs,
  };
}

/** Keeps claims while they have addresses, quarantines released addresses, and deletes claims of deleted clusters. */
export const ipAllocationController = defineController<typeof ClaimToServe, Observed, ClaimEffect, IpAllocationPorts>({
  name: "ip-allocation",
  primary: ClaimToServe,
  watches: [
    via(NetworkPool, (pool, read) => claimsOf(read, byPool, keyOf(pool))),
    via(TenantCluster, (cluster, read) => claimsOf(read, byCluster, keyOf(cluster))),
  ],
  indexes: [
    { kind: IPAllocation, name: byPool, of: poolTextOf },
    { kind: IPAllocation, name: byCluster, of: clusterTextOf },
  ],
  permissions: [
    { apiGroups: [IPAllocation.group], resources: [`${IPAllocation.plural}/status`], verbs: ["patch"] },
    { apiGroups: [IPAllocation.group], resources: [IPAllocation.plural], verbs: ["delete"] },
  ],
  finalizer: finalizers.ipAllocation,
  observe,
  plan,
  perform: {
    writeClaim: ({ write }, { writeStatus }, signal) => writeStatus(IPAllocation, write, signal),
    deleteClaim: (claim, { deleteClaim }, signal) => deleteClaim(claim, signal),
  },
});

function claimsOf(read: CacheReader, index: string, key: ObjectKey): ObjectKey[] {
  return read.byIndex(IPAllocation, index, keyText(key)).map(keyOf);
}

function clusterTextOf(object: KubeObject): string[] {
  return [keyText((object as IPAllocation).spec.tenantClusterRef)];
}
