import {
  conditions,
  defineResource,
  int32,
  int64,
  ipAddress,
  localRef,
  namespacedRef,
  observedGeneration,
  type ObjectOf,
  time,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";
import { addressRangeRules } from "./address-range.ts";

const pinnedRange = withRules(
  z.object({
    startAddress: ipAddress().describe("First address of the range."),
    endAddress: ipAddress("10.40.1.107").describe("Last address of the range, inclusive."),
  }),
  ...addressRangeRules("startAddress", "endAddress"),
);

/** Addresses of a NetworkPool that are allocated to a tenant cluster. */
export const IPAllocation = defineResource({
  ...butlerGroup,
  kind: "IPAllocation",
  scope: "Namespaced",
  shortNames: ["ipa"],
  doc: "IPAllocation reserves addresses from a NetworkPool for a tenant cluster. Deleting it releases the addresses.",
  spec: withRules(
    z.object({
      poolRef: localRef("NetworkPool").describe("NetworkPool in the same namespace to allocate addresses from."),
      tenantClusterRef: namespacedRef("TenantCluster").describe("TenantCluster that the addresses are allocated to."),
      type: z
        .enum(["nodes", "loadbalancer"])
        .describe("What the addresses are used for: worker nodes, or Services of type LoadBalancer."),
      count: int32()
        .min(1)
        .optional()
        .describe("Number of addresses. Defaults to the pool's default for the type. Ignored if pinnedRange is set."),
      pinnedRange: pinnedRange
        .optional()
        .describe(
          "Exact range to allocate. Must be within the pool and available. If unset, addresses are chosen automatically.",
        ),
    }),
    {
      rule: "self == oldSelf",
      message: "spec is immutable; delete the IPAllocation and create a new one",
    },
  ),
  status: z.object({
    phase: z
      .enum(["Pending", "Allocated", "Released", "Failed"])
      .optional()
      .describe("Current phase of the allocation."),
    conditions: conditions("Ready", "Orphaned"),
    cidr: z
      .string()
      .optional()
      .describe("CIDR of the allocated addresses. Set only if the addresses form exactly one CIDR."),
    startAddress: z.string().optional().describe("First allocated address."),
    endAddress: z.string().optional().describe("Last allocated address."),
    addresses: z
      .array(z.string())
      .optional()
      .describe("All allocated addresses. Omitted if there are more than 4096; see startAddress and endAddress."),
    allocatedCount: int64().min(0).optional().describe("Number of allocated addresses."),
    observedGeneration: observedGeneration(),
    allocatedAt: time().optional().describe("Time at which the addresses were allocated."),
    allocatedBy: z.string().optional().describe("Controller that allocated the addresses."),
    releasedAt: time().optional().describe("Time at which the addresses were released."),
    quarantineUntil: time()
      .optional()
      .describe("Time at which the quarantine ends and the released addresses can be allocated again."),
  }),
  selectableFields: [".spec.poolRef.name"],
  columns: {
    Pool: ".spec.poolRef.name",
    Cluster: ".spec.tenantClusterRef.name",
    Type: ".spec.type",
    Phase: ".status.phase",
    Reason: ".status.conditions[?(@.type=='Ready')].reason",
    Start: ".status.startAddress",
    End: ".status.endAddress",
  },
  example: {
    metadata: { name: "shop-lb", namespace: "butler-system" },
    spec: {
      poolRef: { name: "underlay" },
      tenantClusterRef: { name: "shop", namespace: "payments" },
      type: "loadbalancer",
      count: 8,
    },
  },
});
export type IPAllocation = ObjectOf<typeof IPAllocation>;
