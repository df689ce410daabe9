export { providerKinds, tenantClusterController, type TenantClusterControllerOptions } from "./controller.ts";
export { supportedSystems } from "./machines/index.ts";
export type { AccessDecision } from "./plan.ts";
