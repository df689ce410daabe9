import { cidr, int32, withRules } from "@butler/resource";
import { z } from "zod";
import { addressRange } from "./address-range.ts";

/** Networks inside a tenant cluster, and its load-balancer addresses. */
export const tenantClusterNetworking = withRules(
  z.object({
    podCIDR: cidr()
      .default("10.244.0.0/16")
      .describe("Network that pods get their addresses from; 10.244.0.0/16 when absent."),
    serviceCIDR: cidr("10.96.0.0/12")
      .default("10.96.0.0/12")
      .describe("Network that Services get their addresses from; 10.96.0.0/12 when absent."),
    loadBalancerPool: addressRange
      .optional()
      .describe("Addresses for Services of type LoadBalancer; when absent they come from the provider's NetworkPools."),
    lbPoolSize: int32()
      .min(1)
      .optional()
      .describe("Number of load-balancer addresses to take from NetworkPools; when absent the provider's setting."),
  }),
  {
    rule:
      "!has(self.podCIDR) || !has(self.serviceCIDR) || !isCIDR(self.podCIDR) || !isCIDR(self.serviceCIDR) || " +
      "!(cidr(self.podCIDR).containsCIDR(cidr(self.serviceCIDR)) || " +
      "cidr(self.serviceCIDR).containsCIDR(cidr(self.podCIDR)))",
    message: "podCIDR and serviceCIDR must not overlap",
  },
);
