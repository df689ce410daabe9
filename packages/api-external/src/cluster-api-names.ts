/** Cluster API's own group. */
export const clusterApiGroup = "cluster.x-k8s.io";

/** The group of Cluster API's kubeadm bootstrap provider. */
export const bootstrapGroup = "bootstrap.cluster.x-k8s.io";

/** The label of all objects of a Cluster, with the Cluster's name. */
export const clusterNameLabel = "cluster.x-k8s.io/cluster-name";

/** The annotation that pauses reconciliation of an object, with any value. */
export const pausedAnnotation = "cluster.x-k8s.io/paused";

/** The annotation of an externally managed infrastructure cluster, with any value. */
export const managedByAnnotation = "cluster.x-k8s.io/managed-by";

/** The type of the Secrets in which Cluster API keeps kubeconfigs, certificates and bootstrap data. */
export const clusterSecretType = "cluster.x-k8s.io/secret";

/** The file that indicates a successful bootstrap of a machine (bootstrap provider contract, "Sentinel file"). */
export const bootstrapSentinelPath = "/run/cluster-api/bootstrap-success.complete";

/** The name of the Secret with the kubeconfig of a Cluster. */
export function kubeconfigSecretName(clusterName: string): string {
  return `${clusterName}-kubeconfig`;
}

/** The name of the Secret with the certificate authority of a Cluster. */
export function caSecretName(clusterName: string): string {
  return `${clusterName}-ca`;
}
