/**
 * A Cluster API control-plane provider (contracts v1beta2 and v1beta1): a StewardControlPlane becomes a TenantControlPlane
 * of the same name, and what that says about itself becomes what Cluster API wants to know. It runs nothing itself: pods,
 * certificates and stores are the business of the TenantControlPlane's controller.
 */
export { controlPlaneAdmission } from "./admission.ts";
export { clusterApiAccess } from "./cluster-api-access.ts";
export { stewardControlPlaneController } from "./controller.ts";
export {
  type ControlPlaneProviderPorts,
  createControlPlaneProviderPorts,
} from "./ports/control-plane-provider-ports.ts";
