import { cidr, ipAddress, withRules } from "@butler/resource";
import { z } from "zod";
import { addressRangeRules, ipv4Number, isIpv4 } from "./address-range.ts";

const loadBalancerPool = withRules(
  z.object({
    start: ipAddress().describe("First address of the range."),
    end: ipAddress("10.40.1.150").describe("Last address of the range, which belongs to it."),
  }),
  ...addressRangeRules("start", "end"),
);

// A text of digits and dots is a mistyped address and not a host name, though RFC 1123 would allow it.
const vip = withRules(z.string().max(253), {
  rule:
    "self == '' || isIP(self) || (!self.matches('^[0-9.]+$') && " +
    String.raw`self.matches('^[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*$'))`,
  message: "must be an IP address such as 10.40.0.10, or a DNS name such as api.example.com",
});

const pool = "self.loadBalancerPool";

/** Networks and addresses of a new management cluster. */
export const bootstrapNetwork = withRules(
  z.object({
    podCIDR: cidr().describe("Network that pods get their addresses from."),
    serviceCIDR: cidr("10.96.0.0/12").describe("Network that Services get their addresses from."),
    vip: vip
      .optional()
      .describe(
        "Where the API servers are reached: a free address that kube-vip holds, or the address or DNS name of a load " +
          "balancer. May be empty in clouds and on a single node; then the load balancer that Butler orders, or else " +
          "the first control plane node.",
      ),
    vipInterface: z
      .string()
      .optional()
      .describe(
        "Network card that holds the virtual address; when empty, Butler picks the one that is usual on the provider.",
      ),
    loadBalancerPool: loadBalancerPool
      .optional()
      .describe("Addresses for Services of type LoadBalancer; must not contain the virtual address."),
  }),
  {
    rule:
      `!has(self.vip) || !has(${pool}) || !${isIpv4("self.vip")} || ` +
      `!${isIpv4(`${pool}.start`)} || !${isIpv4(`${pool}.end`)} || ` +
      `${ipv4Number("self.vip")} < ${ipv4Number(`${pool}.start`)} || ` +
      `${ipv4Number("self.vip")} > ${ipv4Number(`${pool}.end`)}`,
    message: "must lie outside loadBalancerPool, or else a Service could be given the address of the API server",
    fieldPath: ".vip",
  },
);
