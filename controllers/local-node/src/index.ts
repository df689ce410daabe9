/**
 * The cloud provider functions of a local engine, on one machine: addresses for Services of type LoadBalancer, routes
 * to those of tenant clusters, and directories as volumes. For local engines only; other clusters have their own.
 */
export { loadBalancerController } from "./load-balancer/controller.ts";
export { localClaimController, localVolumeController } from "./local-volume/controllers.ts";
export { storageClass } from "./local-volume/plan.ts";
export { tenantRouteController, tenantRouteKinds } from "./tenant-routes/controller.ts";
export { kernelRoutes } from "./tenant-routes/route-table.ts";
