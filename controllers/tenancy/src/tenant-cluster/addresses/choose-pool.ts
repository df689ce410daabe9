import type { NetworkPool, ProviderConfig } from "@butler/api";
import { parseIpAddress, parseIpRange, rangeContains } from "@butler/std";
import type { WantedAddresses } from "./wanted-addresses.ts";

/** The names of a provider's pools in the order in which they are tried: by priority, then as they are listed. */
export function poolOrder({ spec }: ProviderConfig): string[] {
  const refs = spec.network?.poolRefs ?? [];
  const sorted = refs.toSorted((left, right) => left.priority - right.priority);
  return [...new Set(sorted.map(({ name }) => name))];
}

/** Whether a pool, by its own count, can serve a wish now. */
export function hasRoom({ spec, status }: NetworkPool, wanted: WantedAddresses): boolean {
  if (wanted.kind === "none") return true;
  if (wanted.kind === "block") return (status?.largestFreeBlock ?? 0) >= wanted.count;
  const [network, first] = [parseIpRange(spec.cidr), parseIpAddress(wanted.startAddress)];
  return first !== undefined && rangeContains(network, first);
}

/**
 * The pool to ask: the first with room. When none has, the first of all that exist, where the claim waits its turn;
 * undefined when there is no pool at all.
 */
export function choosePool(pools: readonly NetworkPool[], wanted: WantedAddresses): NetworkPool | undefined {
  return pools.find((pool) => hasRoom(pool, wanted)) ?? (wanted.kind === "pinned" ? undefined : pools[0]);
}
