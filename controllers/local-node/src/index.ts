/**
 * What a cloud would do for a cluster, done on one machine: addresses for Services of type LoadBalancer, and volumes that
 * are folders. For local engines only; a real cluster has its own.
 */
export { loadBalancerController } from "./load-balancer/controller.ts";
export { localClaimController, localVolumeController } from "./local-volume/controllers.ts";
export { storageClass } from "./local-volume/plan.ts";
