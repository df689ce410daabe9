import { TenantCluster } from "@butler/api";
import type { KubeClient } from "@butler/kube";

/** What the teams controller uses besides its caches. */
export interface TeamPorts {
  /** All clusters, from the API server: one missing in the cache would be deleted with the namespace. */
  readonly listClusters: (signal: AbortSignal) => Promise<readonly TenantCluster[]>;
}

/** The production ports. */
export function createTeamPorts(client: KubeClient): TeamPorts {
  return { listClusters: async (signal) => (await client.list(TenantCluster, { signal })).items };
}
