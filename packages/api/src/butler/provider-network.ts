import { duration, int32, ipAddress, withRules } from "@butler/resource";
import { z } from "zod";

/** How machines and load balancers of a provider get their addresses. */
export const providerNetwork = withRules(
  z.object({
    mode: z
      .enum(["ipam", "cloud"])
      .default("cloud")
      .describe(
        "`ipam` takes addresses from NetworkPools; `cloud` leaves addresses to the provider. `cloud` when absent.",
      ),
    poolRefs: z
      .array(
        z.object({
          name: z.string().min(1).describe("Name of the NetworkPool."),
          priority: int32()
            .default(0)
            .describe(
              "Pools with a lower number are tried first, equal numbers in the order of the list; 0 when absent.",
            ),
        }),
      )
      .optional()
      .describe("NetworkPools that addresses are taken from; the next one when one is used up. Needed for mode ipam."),
    subnet: z
      .string()
      .optional()
      .describe(
        "Name of the provider's network that machines are attached to; when empty, that of the provider's block.",
      ),
    gateway: withRules(z.string().max(64), {
      rule: "self == '' || isIP(self)",
      message: "must be an IP address such as 10.40.0.1",
    })
      .optional()
      .describe("Address of the gateway of the machines' network; when empty, machines learn it by DHCP."),
    dnsServers: z
      .array(ipAddress("10.40.0.2"))
      .max(16)
      .optional()
      .describe("Addresses of the machines' name servers; when empty, machines learn them by DHCP."),
    timeServers: z
      .array(z.string())
      .optional()
      .describe("Time servers of Talos machines; when empty, ButlerConfig.spec.defaultTimeServers."),
    loadBalancer: z
      .object({
        defaultPoolSize: int32()
          .min(1)
          .default(8)
          .describe("Addresses of each tenant in allocationMode static; 8 when absent."),
        allocationMode: z
          .enum(["static", "elastic"])
          .default("static")
          .describe(
            "`static` gives a tenant a fixed block; `elastic` begins small and follows what is in use. `static` when " +
              "absent.",
          ),
        initialPoolSize: int32()
          .min(1)
          .default(2)
          .describe("Addresses to begin with in allocationMode elastic; 2 when absent."),
        growthIncrement: int32()
          .min(1)
          .default(2)
          .describe("Addresses added each time in allocationMode elastic; 2 when absent."),
        shrinkAfter: duration()
          .default("10m")
          .describe(
            "How long added addresses stay when no Service uses any of them, as a duration such as 90s or 10m; 10m when " +
              "absent.",
          ),
      })
      .optional()
      .describe("How many load-balancer addresses a tenant gets; when absent a fixed block of 8."),
    quotaPerTenant: z
      .object({
        maxNodeIPs: int32().min(1).optional().describe("Node addresses of one tenant; unset means no limit."),
        maxLoadBalancerIPs: int32()
          .min(1)
          .optional()
          .describe("Load-balancer addresses of one tenant; unset means no limit."),
      })
      .optional()
      .describe("Limits on the addresses of one tenant; when absent there are none."),
  }),
  {
    rule: "self.mode != 'ipam' || (has(self.poolRefs) && size(self.poolRefs) > 0)",
    message: "mode ipam needs at least one NetworkPool to take addresses from",
    reason: "FieldValueRequired",
    fieldPath: ".poolRefs",
  },
);
