/**
 * A Cluster API control-plane provider (contracts v1beta2 and v1beta1): a StewardControlPlane becomes a
 * TenantControlPlane of the same name, whose status is translated for Cluster API. It runs nothing itself: the
 * TenantControlPlane controller manages pods, certificates and stores.
 */
export { controlPlaneAdmission } from "./admission.ts";
export { clusterApiAccess } from "./cluster-api-access.ts";
export { stewardControlPlaneController } from "./controller.ts";
export {
  type ControlPlaneProviderPorts,
  createControlPlaneProviderPorts,
} from "./ports/control-plane-provider-ports.ts";
