export { tenantClusterController, type TenantClusterControllerOptions } from "./controller.ts";
