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

/** An address, or the empty text that older clients send for an address they do not set. */
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
      .describe("First address that tenants may get. Not read when ranges has entries. Set together with end."),
    end: addressOrEmpty()
      .optional()
      .describe("Last address that tenants may get. Not read when ranges has entries. Set together with start."),
    ranges: z
      .array(addressRange)
      .max(16)
      .optional()
      .describe(
        "Parts of the network that tenants may get addresses from, in ascending order and without overlap; when " +
          "empty start and end apply, and when those are empty too the whole network.",
      ),
    defaults: z
      .object({
        nodesPerTenant: int32()
          .min(1)
          .default(5)
          .describe("Node addresses of a tenant whose request names no number; 5 when absent."),
        lbPoolPerTenant: int32()
          .min(1)
          .default(8)
          .describe("Load-balancer addresses of a tenant whose request names no number; 8 when absent."),
      })
      .prefault({})
      .describe("Sizes of allocations that name none."),
  }),
  {
    rule: "(has(self.start) && self.start != '') == (has(self.end) && self.end != '')",
    message: "start and end belong together: set both or neither",
  },
  ...orderedWhenSet,
);

const infrastructureAllocation = z.object({
  ip: z.string().describe("Address in use."),
  source: z.string().describe("What uses it: metallb, node or machine."),
  serviceRef: namespacedRef("Service").optional().describe("Service that has the address, for metallb."),
  nodeRef: z.string().optional().describe("Node of the management cluster that has the address, for node."),
  machineRef: namespacedRef("Machine").optional().describe("Cluster API Machine that has the address, for machine."),
});

const grant = z.object({
  uid: z.string().describe("The very IPAllocation, not a namesake of it."),
  name: z.string().describe("Name of the IPAllocation."),
  startAddress: z.string().describe("First address."),
  endAddress: z.string().describe("Last address."),
  grantedAt: time().describe("When the addresses were set aside."),
});

/** A network from which Butler hands out addresses to tenant clusters. */
export const NetworkPool = defineResource({
  ...butlerGroup,
  kind: "NetworkPool",
  scope: "Namespaced",
  shortNames: ["np"],
  doc:
    "NetworkPool is a network, IPv4 or IPv6, from which Butler hands out addresses for the nodes and load balancers " +
    "of tenant clusters.",
  spec: withRules(
    z.object({
      cidr: cidr("10.40.0.0/16").describe("The whole network, such as 10.40.0.0/16 or 2001:db8:40::/64."),
      reserved: z
        .array(
          z.object({
            cidr: cidr("10.40.0.0/28").describe("Part of the network that is never handed out."),
            description: z.string().optional().describe("What the part is kept for, for people."),
          }),
        )
        .max(256)
        .optional()
        .describe("Parts of the network that are never handed out; when empty nothing is kept back."),
      tenantAllocation: tenantAllocation
        .optional()
        .describe("Which addresses tenants get; when absent all of the network but what is reserved."),
      quarantine: duration()
        .default("5m")
        .describe(
          "How long addresses that were given back rest before somebody else gets them, as a duration such as 30s or " +
            "5m; 5m when absent, and 0s for none. Until then caches of neighbours and name servers may still lead to " +
            "their former user.",
        ),
    }),
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.reserved) || " +
        "self.reserved.all(r, !isCIDR(r.cidr) || cidr(self.cidr).containsCIDR(cidr(r.cidr)))",
      message: "every reserved CIDR must lie inside spec.cidr",
      fieldPath: ".reserved",
    },
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.tenantAllocation) || !has(self.tenantAllocation.start) || " +
        "!isIP(self.tenantAllocation.start) || cidr(self.cidr).containsIP(ip(self.tenantAllocation.start))",
      message: "must be an address inside spec.cidr",
      fieldPath: ".tenantAllocation.start",
    },
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.tenantAllocation) || !has(self.tenantAllocation.end) || " +
        "!isIP(self.tenantAllocation.end) || cidr(self.cidr).containsIP(ip(self.tenantAllocation.end))",
      message: "must be an address inside spec.cidr",
      fieldPath: ".tenantAllocation.end",
    },
    {
      rule:
        "!isCIDR(self.cidr) || !has(self.tenantAllocation) || !has(self.tenantAllocation.ranges) || " +
        "self.tenantAllocation.ranges.all(r, (!isIP(r.start) || cidr(self.cidr).containsIP(ip(r.start))) && " +
        "(!isIP(r.end) || cidr(self.cidr).containsIP(ip(r.end))))",
      message: "start and end of every range must be addresses inside spec.cidr",
      fieldPath: ".tenantAllocation.ranges",
    },
  ),
  status: z.object({
    conditions: conditions("Ready", "CapacityWarning", "CapacityCritical", "CapacityExhausted"),
    totalIPs: count("Addresses that can be handed out: those of the ranges without the reserved ones."),
    allocatedIPs: count("Addresses handed out."),
    quarantinedIPs: count("Addresses that were given back and rest: neither handed out nor available."),
    availableIPs: count(
      "Addresses left to hand out: those that are neither handed out, nor resting, nor found in use by the " +
        "management cluster.",
    ),
    used: z.string().optional().describe("Share of totalIPs that is not available, such as 63%."),
    allocationCount: count("IPAllocations that have addresses of the pool."),
    fragmentationPercent: int32()
      .min(0)
      .max(100)
      .optional()
      .describe("How scattered the free addresses are: 0 when they form one block."),
    largestFreeBlock: count("Addresses in the largest block without a gap."),
    poolSizeIPs: count("Addresses in the whole network."),
    reservedIPs: count("Addresses kept back by reserved."),
    unmanagedScopeIPs: count("Addresses that are neither reserved nor handed out to tenants by this pool."),
    unmanagedRanges: z
      .array(
        z.object({
          start: z.string().describe("First address."),
          end: z.string().describe("Last address."),
        }),
      )
      .optional()
      .describe("Where those addresses are."),
    infrastructureConsumedIPs: count("Addresses of the network that the management cluster itself was found to use."),
    infrastructureAllocations: listMap(infrastructureAllocation, "ip")
      .optional()
      .describe(
        "Addresses of the network that the management cluster was found to use and no IPAllocation has. They are never " +
          "handed out.",
      ),
    grants: listMap(grant, "uid")
      .max(128)
      .optional()
      .describe(
        "Addresses set aside for IPAllocations that do not show them yet. They are written here first, so that no two " +
          "controllers give the same address. Not to be edited.",
      ),
    observedGeneration: observedGeneration(),
  }),
  columns: [
    { name: "CIDR", type: "string", jsonPath: ".spec.cidr" },
    { name: "Total", type: "integer", jsonPath: ".status.totalIPs" },
    { name: "Allocated", type: "integer", jsonPath: ".status.allocatedIPs" },
    { name: "Available", type: "integer", jsonPath: ".status.availableIPs" },
    { name: "Used", type: "string", jsonPath: ".status.used" },
    { name: "Largest", type: "integer", jsonPath: ".status.largestFreeBlock" },
    { name: "Ready", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "NetworkPool",
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

/** The ranges that tenants may get addresses from, with the single start and end read as one; none means all. */
export function effectiveRanges(allocation: TenantAllocation | undefined): { start: string; end: string }[] {
  const { start = "", end = "", ranges = [] } = allocation ?? {};
  if (ranges.length > 0) return ranges;
  return start === "" || end === "" ? [] : [{ start, end }];
}
