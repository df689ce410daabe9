import { clusterLabels, labels, managedByButler, type TenantCluster } from "@butler/api";
import { digestOf } from "@butler/controller";
import { clusterNameLabel } from "@butler/api-external";
import type { KubeObject, ObjectKey } from "@butler/resource";

/** Machines have their pool's name with a dozen characters behind it, and must remain host names. */
const longestPoolName = 50;

/** The namespace of a cluster's own objects; the uid keeps a later cluster of the same name apart from this one's rest. */
export function tenantNamespaceOf({ metadata }: TenantCluster): string {
  return `${metadata.name}-${(metadata.uid ?? "").slice(0, 8)}`;
}

/** The name of the MachineDeployment of a pool. */
export function deploymentName(cluster: string, pool: string): string {
  return shortened(`${cluster}-${pool}`, longestPoolName);
}

/** The name of a template: another content has another name, by which Cluster API sees that machines are to be replaced. */
export function templateName(cluster: string, pool: string, content: unknown): string {
  return `${deploymentName(cluster, pool)}-${digestOf(content).slice(0, 8)}`;
}

/** The label of everything that belongs to one pool. */
export const poolLabel = "butler.butlerlabs.dev/pool";

/** What all objects of a cluster carry: by these they are found, and lead back to the cluster. */
export function objectLabels(cluster: TenantCluster): Record<string, string> {
  return { ...clusterLabels(cluster), [clusterNameLabel]: cluster.metadata.name };
}

/** Selects objects that were made for some tenant cluster. */
export const ofTenantClusters = { labelSelector: `${labels.sourceName},${labels.managedBy}=${managedByButler}` };

/** The tenant cluster that an object was made for. */
export function sourceOf({ metadata }: KubeObject): ObjectKey[] {
  const { [labels.sourceName]: name, [labels.sourceNamespace]: namespace } = metadata.labels ?? {};
  return name === undefined || namespace === undefined ? [] : [{ name, namespace }];
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 9)}-${digestOf(text).slice(0, 8)}`;
}
