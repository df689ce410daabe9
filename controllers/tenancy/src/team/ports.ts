import { TenantCluster } from "@butler/api";
import type { KubeClient } from "@butler/kube";

/** What the controller of teams works with beside its caches. */
export interface TeamPorts {
  /** All clusters, from the server: one that the cache has not heard of would be lost with the namespace. */
  readonly listClusters: (signal: AbortSignal) => Promise<readonly TenantCluster[]>;
}

/** The ports as they are in production. */
export function createTeamPorts(client: KubeClient): TeamPorts {
  return { listClusters: async (signal) => (await client.list(TenantCluster, { signal })).items };
}
