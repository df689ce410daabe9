import type { NetworkPool } from "@butler/api";
import type { getNetwork, listAllocations, RouteAnswer } from "@butler/contract";
import type { IPAllocation } from "@butler/api";
import type { Tone } from "@butler/ui";

/** A network pool as the server shows it. */
export type PoolView = Omit<RouteAnswer<typeof getNetwork>, "status"> & Pick<NetworkPool, "status">;

/** An allocation as the server shows it. */
export type AllocationView = Omit<RouteAnswer<typeof listAllocations>["allocations"][number], "status"> &
  Pick<IPAllocation, "status">;

/** How full a pool is: its sign and its word. Colour begins where somebody should look. */
export function fullness({ status }: Pick<PoolView, "status">): { readonly tone: Tone; readonly word: string } {
  const { totalIPs, availableIPs } = status ?? {};
  if (totalIPs === undefined || availableIPs === undefined) return { tone: "unknown", word: "Unknown" };
  if (availableIPs <= 0) return { tone: "failed", word: "Full" };
  const used = 1 - availableIPs / totalIPs;
  if (used >= 0.9) return { tone: "failed", word: "Nearly full" };
  return used >= 0.8 ? { tone: "attention", word: "Filling up" } : { tone: "ready", word: "Room left" };
}
