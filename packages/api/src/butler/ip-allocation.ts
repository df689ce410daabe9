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
    endAddress: ipAddress("10.40.1.107").describe("Last address of the range, which belongs to it."),
  }),
  ...addressRangeRules("startAddress", "endAddress"),
);

/** Addresses of a NetworkPool that are set aside for one tenant cluster. */
export const IPAllocation = defineResource({
  ...butlerGroup,
  kind: "IPAllocation",
  scope: "Namespaced",
  shortNames: ["ipa"],
  doc: "IPAllocation sets addresses of a NetworkPool aside for one tenant cluster. Deleting it gives them back.",
  spec: withRules(
    z.object({
      poolRef: localRef("NetworkPool").describe("NetworkPool, in the same namespace, that the addresses come from."),
      tenantClusterRef: namespacedRef("TenantCluster").describe("TenantCluster that the addresses are for."),
      type: z
        .enum(["nodes", "loadbalancer"])
        .describe("What the addresses are for: worker nodes, or Services of type LoadBalancer."),
      count: int32()
        .min(1)
        .optional()
        .describe("How many addresses; when absent, the pool's default for the type. Not read beside pinnedRange."),
      pinnedRange: pinnedRange
        .optional()
        .describe(
          "Exact range that is wanted, which must lie in the pool and be free; when absent, the pool picks the addresses.",
        ),
    }),
    {
      rule: "self == oldSelf",
      message: "spec is immutable; delete the IPAllocation and create another one",
    },
  ),
  status: z.object({
    phase: z
      .enum(["Pending", "Allocated", "Released", "Failed"])
      .optional()
      .describe("Where the allocation is in its life."),
    conditions: conditions("Ready", "Orphaned"),
    cidr: z.string().optional().describe("The addresses as one CIDR; set only when they make up exactly one."),
    startAddress: z.string().optional().describe("First address given."),
    endAddress: z.string().optional().describe("Last address given."),
    addresses: z
      .array(z.string())
      .optional()
      .describe("Every address given; absent when there are more than 4096, as the first and the last say it all."),
    allocatedCount: int64().min(0).optional().describe("Number of addresses given."),
    observedGeneration: observedGeneration(),
    allocatedAt: time().optional().describe("When the addresses were given."),
    allocatedBy: z.string().optional().describe("Controller that gave the addresses."),
    releasedAt: time().optional().describe("When the addresses were given back."),
    quarantineUntil: time()
      .optional()
      .describe("Until when addresses that were given back rest; somebody else can get them after that."),
  }),
  selectableFields: [".spec.poolRef.name"],
  columns: [
    { name: "Pool", type: "string", jsonPath: ".spec.poolRef.name" },
    { name: "Cluster", type: "string", jsonPath: ".spec.tenantClusterRef.name" },
    { name: "Type", type: "string", jsonPath: ".spec.type" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Reason", type: "string", jsonPath: ".status.conditions[?(@.type=='Ready')].reason" },
    { name: "Start", type: "string", jsonPath: ".status.startAddress" },
    { name: "End", type: "string", jsonPath: ".status.endAddress" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "IPAllocation",
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
