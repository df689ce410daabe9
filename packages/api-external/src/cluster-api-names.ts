/** Cluster API's own group. */
export const clusterApiGroup = "cluster.x-k8s.io";

/** The group of Cluster API's kubeadm bootstrap provider. */
export const bootstrapGroup = "bootstrap.cluster.x-k8s.io";

/** The label that every object of a Cluster carries, with the Cluster's name. */
export const clusterNameLabel = "cluster.x-k8s.io/cluster-name";

/** The annotation that makes providers leave an object alone, whatever its value. */
export const pausedAnnotation = "cluster.x-k8s.io/paused";

/** The annotation of an infrastructure cluster that somebody else looks after, whatever its value. */
export const managedByAnnotation = "cluster.x-k8s.io/managed-by";

/** The type of the Secrets in which Cluster API keeps kubeconfigs, certificates and bootstrap data. */
export const clusterSecretType = "cluster.x-k8s.io/secret";

/** The file whose presence on a machine says that its bootstrap went well (bootstrap provider contract, "Sentinel file"). */
export const bootstrapSentinelPath = "/run/cluster-api/bootstrap-success.complete";

/** The name of the Secret with the kubeconfig of a Cluster. */
export function kubeconfigSecretName(clusterName: string): string {
  return `${clusterName}-kubeconfig`;
}

/** The name of the Secret with the certificate authority of a Cluster. */
export function caSecretName(clusterName: string): string {
  return `${clusterName}-ca`;
}
