/**
 * Hosted control planes: the TenantControlPlane controller, its ports, and its admission. A pass renders everything
 * again and writes only what differs; keys are created by effects, never by a plan.
 */
export { tenantControlPlaneAdmission, type TenantControlPlaneAdmissionInput } from "./admission/handlers.ts";
export {
  type TenantControlPlaneController,
  tenantControlPlaneController,
  type TenantControlPlaneControllerOptions,
} from "./controller.ts";
export {
  createTenantControlPlanePorts,
  type PortsInput,
  type StewardSettings,
  type TenantControlPlanePorts,
} from "./ports/tenant-control-plane-ports.ts";
