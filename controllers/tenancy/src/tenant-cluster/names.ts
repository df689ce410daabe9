import { clusterLabels, labels, managedByButler, type TenantCluster } from "@butler/api";
import { digestOf } from "@butler/controller";
import { clusterNameLabel } from "@butler/api-external";
import type { KubeObject, ObjectKey } from "@butler/resource";

/** Machine names are their pool's name with a suffix of a dozen characters, and must be valid host names. */
const longestPoolName = 50;

/**
 * The namespace of a cluster's own objects; the uid separates it from leftovers of an earlier cluster of the same name.
 */
export function tenantNamespaceOf({ metadata }: TenantCluster): string {
  return `${metadata.name}-${(metadata.uid ?? "").slice(0, 8)}`;
}

/** The name of the MachineDeployment of a pool. */
export function deploymentName(cluster: string, pool: string): string {
  return shortened(`${cluster}-${pool}`, longestPoolName);
}

/** The name of a template, derived from its content: a changed name makes Cluster API replace the machines. */
export function templateName(cluster: string, pool: string, content: unknown): string {
  return `${deploymentName(cluster, pool)}-${digestOf(content).slice(0, 8)}`;
}

/** The label of everything that belongs to one pool. */
export const poolLabel = "butler.butlerlabs.dev/pool";

/** Labels of all objects of a cluster, which select them and map them back to the cluster. */
export function objectLabels(cluster: TenantCluster): Record<string, string> {
  return { ...clusterLabels(cluster), [clusterNameLabel]: cluster.metadata.name };
}

/** Selects objects that were created for tenant clusters. */
export const ofTenantClusters = { labelSelector: `${labels.sourceName},${labels.managedBy}=${managedByButler}` };

/** The tenant cluster that an object was created for. */
export function sourceOf({ metadata }: KubeObject): ObjectKey[] {
  const { [labels.sourceName]: name, [labels.sourceNamespace]: namespace } = metadata.labels ?? {};
  return name === undefined || namespace === undefined ? [] : [{ name, namespace }];
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 9)}-${digestOf(text).slice(0, 8)}`;
}
