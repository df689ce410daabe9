export {
  startTenantLoadBalancers,
  tenantLoadBalancerController,
  type TenantLoadBalancerOptions,
} from "./controller.ts";
