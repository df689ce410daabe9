/**
 * Hosted control planes: the controller of TenantControlPlanes, what it works with, and the judgement of what users ask
 * for. A pass renders everything anew and writes only what differs; keys are made by effects, never by a plan.
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
