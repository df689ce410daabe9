import { cidr, ipAddress, withRules } from "@butler/resource";
import { z } from "zod";
import { addressRangeRules, ipv4Number, isIpv4 } from "./address-range.ts";

const loadBalancerPool = withRules(
  z.object({
    start: ipAddress().describe("First address of the range."),
    end: ipAddress("10.40.1.150").describe("Last address of the range, inclusive."),
  }),
  ...addressRangeRules("start", "end"),
);

// A value of digits and dots is a mistyped address and not a hostname, although RFC 1123 would allow it.
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
    podCIDR: cidr().describe("CIDR for pod IPs."),
    serviceCIDR: cidr("10.96.0.0/12").describe("CIDR for Service IPs."),
    vip: vip
      .optional()
      .describe(
        "Endpoint of the API servers: a free address announced by kube-vip, or the address or DNS name of a load " +
          "balancer. Optional on cloud providers and for single-node clusters. If empty, defaults to the load " +
          "balancer that Butler creates, or else to the first control plane node.",
      ),
    vipInterface: z
      .string()
      .optional()
      .describe("Network interface for the virtual IP. If empty, Butler uses the provider's usual interface."),
    loadBalancerPool: loadBalancerPool
      .optional()
      .describe("Address range for Services of type LoadBalancer. Must not contain the virtual IP."),
  }),
  {
    rule:
      `!has(self.vip) || !has(${pool}) || !${isIpv4("self.vip")} || ` +
      `!${isIpv4(`${pool}.start`)} || !${isIpv4(`${pool}.end`)} || ` +
      `${ipv4Number("self.vip")} < ${ipv4Number(`${pool}.start`)} || ` +
      `${ipv4Number("self.vip")} > ${ipv4Number(`${pool}.end`)}`,
    message: "must be outside loadBalancerPool; otherwise a Service could get the API server's address",
    fieldPath: ".vip",
  },
);
