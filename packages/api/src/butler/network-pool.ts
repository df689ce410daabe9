import {
  type CelRule,
  cidr,
  conditions,
  defineResource,
  duration,
  int32,
  int64,
  listMap,
  namespacedRef,
  observedGeneration,
  type ObjectOf,
  time,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { addressRange, addressRangeRules } from "./address-range.ts";
import { butlerGroup } from "./group.ts";

const count = (doc: string) => int64().min(0).optional().describe(doc);

/** An address, or the empty string that older clients send for an unset address. */
const addressOrEmpty = () =>
  withRules(z.string().max(64), {
    rule: "self == '' || isIP(self)",
    message: "must be an IP address such as 10.40.1.100",
  });

const orderedWhenSet = addressRangeRules("start", "end").map((given): CelRule => ({
  ...given,
  rule: `!has(self.start) || !has(self.end) || (${given.rule})`,
}));

const tenantAllocation = withRules(
  z.object({
    start: addressOrEmpty()
      .optional()
      .describe("First address of the tenant range. Ignored if ranges is not empty. Must be set together with end."),
    end: addressOrEmpty()
      .optional()
      .describe("Last address of the tenant range. Ignored if ranges is not empty. Must be set together with start."),
    ranges: z
      .array(addressRange)
      .max(16)
      .optional()
      .describe(
        "Non-overlapping address ranges for tenants, in ascending order. If empty, start and end apply. If start " +
          "and end are also empty, the whole network is used.",
      ),
    defaults: z
      .object({
        nodesPerTenant: int32()
          .min(1)
          .default(5)
          .describe("Number of node addresses per tenant if the request does not specify a count. Defaults to 5."),
        lbPoolPerTenant: int32()
          .min(1)
          .default(8)
          .describe(
            "Number of load balancer addresses per tenant if the request does not specify a count. Defaults to 8.",
          ),
      })
      .prefault({})
      .describe("Default allocation sizes."),
  }),
  {
    rule: "(has(self.start) && self.start != '') == (has(self.end) && self.end != '')",
    message: "start and end must be set together",
  },
  ...orderedWhenSet,
);

const infrastructureAllocation = z.object({
  ip: z.string().describe("Address in use."),
  source: z.string().describe("Consumer of the address: metallb, node or machine."),
  serviceRef: namespacedRef("Service").optional().describe("Service that uses the address. Set if source is metallb."),
  nodeRef: z.string().optional().describe("Management cluster node that uses the address. Set if source is node."),
  machineRef: namespacedRef("Machine")
    .optional()
    .describe("Cluster API Machine that uses the address. Set if source is machine."),
});

const grant = z.object({
  uid: z.string().describe("UID of the IPAllocation."),
  name: z.string().describe("Name of the IPAllocation."),
  startAddress: z.string().describe("First address."),
  endAddress: z.string().describe("Last address."),
  grantedAt: time().describe("Time at which the addresses were reserved."),
});

/** A network from which Butler allocates addresses to tenant clusters. */
export const NetworkPool = defineResource({
  ...butlerGroup,
  kind: "NetworkPool",
  scope: "Namespaced",
  shortNames: ["np"],
  doc:
    "NetworkPool is an IPv4 or IPv6 network from which Butler allocates addresses to the nodes and load " +
    "balancers of tenant clusters.",
  spec: withRules(
    z.object({
      cidr: cidr("10.40.0.0/16").describe("CIDR of the network, such as 10.40.0.0/16 or 2001:db8:40::/64."),
      reserved: z
        .array(
          z.object({
            cidr: cidr("10.40.0.0/28").describe("CIDR from which no addresses are allocated."),
            description: z.string().optional().describe("Human-readable description of the reservation."),
          }),
        )
        .max(256)
        .optional()
        .describe("Parts of the network from which no addresses are allocated."),
      tenantAllocation: tenantAllocation
        .optional()
        .describe("Addresses for tenants. Defaults to the whole network except the reserved parts."),
      quarantine: duration()
        .default("5m")
        .describe(
          "How long released addresses are quarantined before they can be allocated again, as a duration such as " +
            "30s or 5m. Defaults to 5m; 0s disables the quarantine. The quarantine gives ARP, neighbor and DNS " +
            "caches time to expire.",
        ),
    }),
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.reserved) || " +
        "self.reserved.all(r, !isCIDR(r.cidr) || cidr(self.cidr).containsCIDR(cidr(r.cidr)))",
      message: "every reserved CIDR must be within spec.cidr",
      fieldPath: ".reserved",
    },
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.tenantAllocation) || !has(self.tenantAllocation.start) || " +
        "!isIP(self.tenantAllocation.start) || cidr(self.cidr).containsIP(ip(self.tenantAllocation.start))",
      message: "must be an address within spec.cidr",
      fieldPath: ".tenantAllocation.start",
    },
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.tenantAllocation) || !has(self.tenantAllocation.end) || " +
        "!isIP(self.tenantAllocation.end) || cidr(self.cidr).containsIP(ip(self.tenantAllocation.end))",
      message: "must be an address within spec.cidr",
      fieldPath: ".tenantAllocation.end",
    },
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.tenantAllocation) || !has(self.tenantAllocation.ranges) || " +
        "self.tenantAllocation.ranges.all(r, (!isIP(r.start) || cidr(self.cidr).containsIP(ip(r.start))) && " +
        "(!isIP(r.end) || cidr(self.cidr).containsIP(ip(r.end))))",
      message: "start and end of every range must be addresses within spec.cidr",
      fieldPath: ".tenantAllocation.ranges",
    },
  ),
  status: z.object({
    conditions: conditions("Ready", "CapacityWarning", "CapacityCritical", "CapacityExhausted"),
    totalIPs: count("Number of allocatable addresses: all addresses in the ranges except reserved ones."),
    allocatedIPs: count("Number of allocated addresses."),
    quarantinedIPs: count("Number of released addresses in quarantine, which are neither allocated nor available."),
    availableIPs: count(
      "Number of available addresses: neither allocated, nor in quarantine, nor in use by the management cluster.",
    ),
    used: z.string().optional().describe("Percentage of totalIPs that are not available, such as 63%."),
    allocationCount: count("Number of IPAllocations with addresses from the pool."),
    fragmentationPercent: int32()
      .min(0)
      .max(100)
      .optional()
      .describe("Fragmentation of the free addresses as a percentage. 0 if all free addresses form a single block."),
    largestFreeBlock: count("Number of addresses in the largest contiguous free block."),
    poolSizeIPs: count("Total number of addresses in the network."),
    reservedIPs: count("Number of reserved addresses."),
    unmanagedScopeIPs: count(
      "Number of addresses that are neither reserved nor allocatable to tenants from this pool.",
    ),
    unmanagedRanges: z
      .array(
        z.object({
          start: z.string().describe("First address."),
          end: z.string().describe("Last address."),
        }),
      )
      .optional()
      .describe("Ranges of unmanaged addresses."),
    infrastructureConsumedIPs: count("Number of addresses in the network used by the management cluster."),
    infrastructureAllocations: listMap(infrastructureAllocation, "ip")
      .optional()
      .describe(
        "Addresses in the network used by the management cluster without an IPAllocation. Butler never allocates " +
          "these addresses.",
      ),
    grants: listMap(grant, "uid")
      .max(128)
      .optional()
      .describe(
        "Addresses reserved for IPAllocations whose status does not list them yet. Butler writes this field first " +
          "to prevent two controllers from allocating the same address. Do not edit.",
      ),
    observedGeneration: observedGeneration(),
  }),
  columns: {
    CIDR: ".spec.cidr",
    Total: { type: "integer", jsonPath: ".status.totalIPs" },
    Allocated: { type: "integer", jsonPath: ".status.allocatedIPs" },
    Available: { type: "integer", jsonPath: ".status.availableIPs" },
    Used: ".status.used",
    Largest: { type: "integer", jsonPath: ".status.largestFreeBlock" },
    Ready: ".status.conditions[?(@.type=='Ready')].status",
  },
  example: {
    metadata: { name: "datacenter", namespace: "butler-system" },
    spec: {
      cidr: "10.40.0.0/16",
      reserved: [{ cidr: "10.40.0.0/24", description: "Gateways and switches" }],
      tenantAllocation: {
        start: "10.40.1.0",
        end: "10.40.15.255",
        defaults: { nodesPerTenant: 5, lbPoolPerTenant: 8 },
      },
    },
  },
});
export type NetworkPool = ObjectOf<typeof NetworkPool>;

type TenantAllocation = NonNullable<NetworkPool["spec"]["tenantAllocation"]>;

/** Ranges for tenants; a single start and end count as one range. Empty means the whole network. */
export function effectiveRanges(allocation: TenantAllocation | undefined): { start: string; end: string }[] {
  const { start = "", end = "", ranges = [] } = allocation ?? {};
  if (ranges.length > 0) return ranges;
  return start === "" || end === "" ? [] : [{ start, end }];
}
