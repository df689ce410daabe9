import { clusterPhase, type TenantCluster } from "@butler/api";
import { shellCommand } from "@butler/cli-kit";
import { Unavailable } from "@butler/std";

/** The tenant namespace of a cluster; throws while it does not exist yet. */
export function requireInside(cluster: TenantCluster): string {
  const inside = cluster.status?.tenantNamespace;
  if (inside !== undefined) return inside;
  const { name, namespace = "" } = cluster.metadata;
  throw new Unavailable(`${name} is not provisioned yet (phase: ${clusterPhase(cluster)})`, {
    hint: `Check progress with: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`,
  });
}
