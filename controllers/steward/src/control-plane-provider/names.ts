/** The label of everything that belongs to a TenantControlPlane, with its name. */
export const tenantNameLabel = "steward.butlerlabs.dev/name";

const projectLabel = "steward.butlerlabs.dev/project";
const componentLabel = "steward.butlerlabs.dev/component";

/** Selects Steward's own objects: the very selector that the controller of TenantControlPlanes has, so one cache serves both. */
export const ofSteward = { labelSelector: `${projectLabel}=steward` } as const;

/** The labels of an object that is handed to Cluster API. */
export function exportedLabels(tenantName: string): Record<string, string> {
  return { [projectLabel]: "steward", [tenantNameLabel]: tenantName, [componentLabel]: "cluster-api" };
}

/** The annotation that chooses which kubeconfig of the administrators' Secret is handed to Cluster API. */
export const kubeconfigKeyAnnotation = "steward.butlerlabs.dev/kubeconfig-secret-key";

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
