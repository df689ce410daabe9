import { duration, int32, ipAddress, withRules } from "@butler/resource";
import { z } from "zod";

/** How machines and load balancers of a provider get their addresses. */
export const providerNetwork = withRules(
  z.object({
    mode: z
      .enum(["ipam", "cloud"])
      .default("cloud")
      .describe(
        "`ipam` allocates addresses from NetworkPools; `cloud` leaves allocation to the provider. Defaults to `cloud`.",
      ),
    poolRefs: z
      .array(
        z.object({
          name: z.string().min(1).describe("Name of the NetworkPool."),
          priority: int32()
            .default(0)
            .describe(
              "Priority of the pool. Pools with lower values are tried first; pools with equal values are tried in list order. Defaults to 0.",
            ),
        }),
      )
      .optional()
      .describe(
        "NetworkPools to allocate addresses from. If a pool is exhausted, the next pool is used. Required if mode is ipam.",
      ),
    subnet: z
      .string()
      .optional()
      .describe("Provider network that machines are attached to. Defaults to the network in the provider's block."),
    gateway: withRules(z.string().max(64), {
      rule: "self == '' || isIP(self)",
      message: "must be an IP address such as 10.40.0.1",
    })
      .optional()
      .describe("Gateway address of the machine network. If empty, machines obtain it through DHCP."),
    dnsServers: z
      .array(ipAddress("10.40.0.2"))
      .max(16)
      .optional()
      .describe("DNS servers for the machines. If empty, machines obtain them through DHCP."),
    timeServers: z
      .array(z.string())
      .optional()
      .describe("NTP servers for Talos machines. Defaults to ButlerConfig.spec.defaultTimeServers."),
    loadBalancer: z
      .object({
        defaultPoolSize: int32()
          .min(1)
          .default(8)
          .describe("Number of addresses per tenant if allocationMode is static. Defaults to 8."),
        allocationMode: z
          .enum(["static", "elastic"])
          .default("static")
          .describe(
            "`static` allocates a fixed block per tenant; `elastic` starts small and adjusts to the number of " +
              "addresses in use. Defaults to `static`.",
          ),
        initialPoolSize: int32()
          .min(1)
          .default(2)
          .describe("Initial number of addresses if allocationMode is elastic. Defaults to 2."),
        growthIncrement: int32()
          .min(1)
          .default(2)
          .describe("Number of addresses added per growth step if allocationMode is elastic. Defaults to 2."),
        shrinkAfter: duration()
          .default("10m")
          .describe(
            "How long to keep added addresses that no Service uses, as a duration such as 90s or 10m. " +
              "Defaults to 10m.",
          ),
      })
      .optional()
      .describe("Number of load balancer addresses per tenant. Defaults to a fixed block of 8."),
    quotaPerTenant: z
      .object({
        maxNodeIPs: int32()
          .min(1)
          .optional()
          .describe("Maximum number of node addresses per tenant. If unset, no limit applies."),
        maxLoadBalancerIPs: int32()
          .min(1)
          .optional()
          .describe("Maximum number of load balancer addresses per tenant. If unset, no limit applies."),
      })
      .optional()
      .describe("Limits on the number of addresses per tenant. If unset, no limits apply."),
  }),
  {
    rule: "self.mode != 'ipam' || (has(self.poolRefs) && size(self.poolRefs) > 0)",
    message: "mode ipam requires at least one NetworkPool",
    reason: "FieldValueRequired",
    fieldPath: ".poolRefs",
  },
);
