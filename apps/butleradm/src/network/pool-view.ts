import { type IPAllocation, type NetworkPool } from "@butler/api";
import { ageOf, type ObjectView, type Style } from "@butler/cli-kit";
import { findCondition, keyText } from "@butler/resource";
import { parseIpAddress } from "@butler/std";

const count = (value: number | undefined): string => (value === undefined ? "-" : String(value));

/** Severity of the pool's usage, from its conditions. */
function capacityStyle({ status }: NetworkPool): Style {
  const isAbove = (type: string): boolean => findCondition(status?.conditions, type)?.status === "True";
  if (isAbove("CapacityExhausted") || isAbove("CapacityCritical")) return "bad";
  return isAbove("CapacityWarning") ? "busy" : "good";
}

/** NetworkPools as rows. */
export function poolView(now: () => Date): ObjectView<NetworkPool> {
  return {
    nameOf: ({ metadata }) => `networkpool/${metadata.name}`,
    columns: [
      { title: "NAMESPACE", value: ({ metadata }) => metadata.namespace ?? "", isWide: true },
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "CIDR", value: ({ spec }) => spec.cidr },
      { title: "TOTAL", value: ({ status }) => count(status?.totalIPs) },
      { title: "ALLOCATED", value: ({ status }) => count(status?.allocatedIPs) },
      { title: "QUARANTINED", value: ({ status }) => count(status?.quarantinedIPs) },
      { title: "AVAILABLE", value: ({ status }) => count(status?.availableIPs) },
      { title: "USED", value: ({ status }) => status?.used ?? "-", style: capacityStyle },
      { title: "LARGEST", value: ({ status }) => count(status?.largestFreeBlock) },
      { title: "FRAGMENTED", value: ({ status }) => percent(status?.fragmentationPercent), isWide: true },
      { title: "CLAIMS", value: ({ status }) => count(status?.allocationCount), isWide: true },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
    ],
  };
}

const phaseStyles: Readonly<Record<string, Style>> = {
  Allocated: "good",
  Pending: "busy",
  Failed: "bad",
  Released: "leaving",
};

/** IPAllocations as rows. */
export function claimView(now: () => Date): ObjectView<IPAllocation> {
  return {
    nameOf: ({ metadata }) => `ipallocation/${metadata.name}`,
    columns: [
      { title: "ADDRESSES", value: addressText },
      { title: "CLUSTER", value: ({ spec }) => keyText(spec.tenantClusterRef) },
      { title: "TYPE", value: ({ spec }) => spec.type },
      { title: "PHASE", value: phaseOf, style: (claim) => phaseStyles[phaseOf(claim)] },
      { title: "CLAIM", value: ({ metadata }) => metadata.name },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "REASON", value: reasonOf },
    ],
  };
}

function phaseOf({ status }: IPAllocation): string {
  return status?.phase ?? "Pending";
}

/** The addresses of a claim, or the number of requested addresses. */
export function addressText({ spec, status }: IPAllocation): string {
  if (status?.startAddress === undefined) return `${spec.count ?? "?"} requested`;
  return status.cidr ?? `${status.startAddress}-${status.endAddress ?? ""}`;
}

/** Why a claim is pending, or the end of its quarantine. */
function reasonOf({ status }: IPAllocation): string {
  if (status?.quarantineUntil !== undefined) return `quarantined until ${status.quarantineUntil}`;
  const ready = findCondition(status?.conditions, "Ready");
  return ready?.status === "True" ? "" : (ready?.message ?? "");
}

function percent(value: number | undefined): string {
  return value === undefined ? "-" : `${value}%`;
}

/** By address; claims without addresses come last, oldest first. */
export function byAddress(left: IPAllocation, right: IPAllocation): number {
  const [one, other] = [left, right].map(({ status }) => parseIpAddress(status?.startAddress ?? "")?.value);
  if (one !== undefined && other !== undefined) return one < other ? -1 : 1;
  if (one !== undefined || other !== undefined) return one === undefined ? 1 : -1;
  return (left.metadata.creationTimestamp ?? "") < (right.metadata.creationTimestamp ?? "") ? -1 : 1;
}
