/**
 * What a cloud would do for a cluster, done on one machine: addresses for Services of type LoadBalancer, routes to
 * those of tenant clusters, and volumes that are folders. For local engines only; a real cluster has its own.
 */
export { loadBalancerController } from "./load-balancer/controller.ts";
export { localClaimController, localVolumeController } from "./local-volume/controllers.ts";
export { storageClass } from "./local-volume/plan.ts";
export { tenantRouteController, tenantRouteKinds } from "./tenant-routes/controller.ts";
export { kernelRoutes } from "./tenant-routes/route-table.ts";
