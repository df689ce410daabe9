import type { listAllAllocations, RouteAnswer } from "@butler/contract";
import type { IPAllocation } from "@butler/api";
import type { Tone } from "@butler/ui";
import type { ClusterView } from "../../../parts/cluster-facts.ts";

/** An address allocation of a cluster. */
export type AllocationView = Omit<RouteAnswer<typeof listAllAllocations>["allocations"][number], "status"> &
  Pick<IPAllocation, "status">;

/** The allocations of one cluster. Other namespaces can have a cluster of the same name. */
export function allocationsOf(
  all: readonly AllocationView[],
  { metadata }: Pick<ClusterView, "metadata">,
): AllocationView[] {
  return all.filter(({ spec: { tenantClusterRef: cluster } }) => {
    return cluster.name === metadata.name && cluster.namespace === metadata.namespace;
  });
}

/** The addresses for display: a CIDR or a range; empty if not allocated yet. */
export function rangeOf({ status }: AllocationView): string {
  const { cidr, startAddress, endAddress } = status ?? {};
  if (cidr !== undefined) return cidr;
  if (startAddress === undefined) return "";
  return endAddress === undefined || endAddress === startAddress ? startAddress : `${startAddress} – ${endAddress}`;
}

/** Display names of allocation types. */
export const purposes = { nodes: "Nodes", loadbalancer: "Load balancers" } as const;

const tones: Readonly<Record<string, Tone>> = {
  Pending: "working",
  Allocated: "ready",
  Released: "asleep",
  Failed: "failed",
};
const words: Readonly<Record<string, string>> = {
  Pending: "Pending",
  Allocated: "Allocated",
  Released: "Released",
  Failed: "Failed",
};

/** State of an allocation, with the reason if it is not ready. */
export function allocationState({ status }: AllocationView): {
  readonly tone: Tone;
  readonly word: string;
  readonly why: string;
} {
  const phase = status?.phase ?? "Pending";
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const why = ready?.status === "True" ? "" : (ready?.message ?? "");
  return { tone: tones[phase] ?? "unknown", word: words[phase] ?? phase, why };
}

/** Source of addresses for Services of type LoadBalancer. */
export function loadBalancerSource({ spec, status }: Pick<ClusterView, "spec" | "status">): string {
  const { loadBalancerPool, lbPoolSize } = spec.networking;
  if (loadBalancerPool !== undefined) return `${loadBalancerPool.start} – ${loadBalancerPool.end}, set in the spec`;
  if (lbPoolSize !== undefined) return `${lbPoolSize} from the provider's network pools`;
  if (status?.lbAllocationRef !== undefined) return "the provider's network pools";
  return "";
}
