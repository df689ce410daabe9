import { clusterPhase, type TenantCluster } from "@butler/api";
import { shellCommand } from "@butler/cli-kit";
import { Unavailable } from "@butler/std";

/** The namespace with everything that a cluster is made of; an error while there is none yet. */
export function requireInside(cluster: TenantCluster): string {
  const inside = cluster.status?.tenantNamespace;
  if (inside !== undefined) return inside;
  const { name, namespace = "" } = cluster.metadata;
  throw new Unavailable(`nothing of ${name} is there yet; it is ${clusterPhase(cluster)}`, {
    hint: `See where it stands with: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`,
  });
}
