export { clusterApiKinds, tenantClusterController, type TenantClusterControllerOptions } from "./controller.ts";
