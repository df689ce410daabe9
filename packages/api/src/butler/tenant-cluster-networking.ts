import { cidr, int32, withRules } from "@butler/resource";
import { z } from "zod";
import { addressRange } from "./address-range.ts";

/** Networks inside a tenant cluster, and its load-balancer addresses. */
export const tenantClusterNetworking = withRules(
  z.object({
    podCIDR: cidr().default("10.244.0.0/16").describe("CIDR for pod IPs. Defaults to 10.244.0.0/16."),
    serviceCIDR: cidr("10.96.0.0/12")
      .default("10.96.0.0/12")
      .describe("CIDR for Service IPs. Defaults to 10.96.0.0/12."),
    loadBalancerPool: addressRange
      .optional()
      .describe(
        "Address range for Services of type LoadBalancer. If unset, addresses are allocated from the provider's NetworkPools.",
      ),
    lbPoolSize: int32()
      .min(1)
      .optional()
      .describe("Number of load balancer addresses to allocate from NetworkPools. Defaults to the provider setting."),
  }),
  {
    rule:
      "!has(self.podCIDR) || !has(self.serviceCIDR) || !isCIDR(self.podCIDR) || !isCIDR(self.serviceCIDR) || " +
      "!(cidr(self.podCIDR).containsCIDR(cidr(self.serviceCIDR)) || " +
      "cidr(self.serviceCIDR).containsCIDR(cidr(self.podCIDR)))",
    message: "podCIDR and serviceCIDR must not overlap",
  },
);
