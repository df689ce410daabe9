import { labelsOf, stewardDomain } from "../names.ts";

/** The labels of an object that is handed to Cluster API. */
export function exportedLabels(tenantName: string): Record<string, string> {
  return labelsOf(tenantName, "cluster-api");
}

/** The annotation that chooses which kubeconfig of the administrators' Secret is handed to Cluster API. */
export const kubeconfigKeyAnnotation = `${stewardDomain}/kubeconfig-secret-key`;

/** The kubeconfig that Cluster API gets when nothing else is asked for: the announced endpoint, bound by RBAC. */
export const defaultKubeconfigKey = "admin.conf";

/** The name of the Secret with the kubeconfigs of a tenant's administrators. */
export function adminSecretName(tenantName: string): string {
  return `${tenantName}-admin-kubeconfig`;
}

/** The name of the Secret with a tenant's own certificate authority. */
export function authoritySecretName(tenantName: string): string {
  return `${tenantName}-ca`;
}
