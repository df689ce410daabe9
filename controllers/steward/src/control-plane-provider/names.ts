import { labelsOf, stewardDomain } from "../names.ts";

/** The labels of an object that is exported to Cluster API. */
export function exportedLabels(tenantName: string): Record<string, string> {
  return labelsOf(tenantName, "cluster-api");
}

/** The annotation that selects the kubeconfig of the admin Secret to export to Cluster API. */
export const kubeconfigKeyAnnotation = `${stewardDomain}/kubeconfig-secret-key`;

/** The kubeconfig that Cluster API gets by default: the announced endpoint, subject to RBAC. */
export const defaultKubeconfigKey = "admin.conf";

/** The name of the Secret with the kubeconfigs of a tenant's administrators. */
export function adminSecretName(tenantName: string): string {
  return `${tenantName}-admin-kubeconfig`;
}

/** The name of the Secret with a tenant's own certificate authority. */
export function authoritySecretName(tenantName: string): string {
  return `${tenantName}-ca`;
}
