import type { ProviderConfig } from "@butler/api";
import { parseIpAddress } from "@butler/std";

type Network = ProviderConfig["spec"]["network"];

/** The number of addresses from one to another, both included; 0 when the texts are not a range. */
export function addressCount(start: string, end: string): bigint {
  const [first, last] = [parseIpAddress(start), parseIpAddress(end)];
  if (first === undefined || last === undefined || first.family !== last.family) return 0n;
  return last.value < first.value ? 0n : last.value - first.value + 1n;
}

/** The number of load balancer addresses that a cluster may still claim; undefined when there is no limit. */
export function addressesLeft(network: Network, held: bigint): bigint | undefined {
  const limit = network?.quotaPerTenant?.maxLoadBalancerIPs;
  if (network?.mode !== "ipam" || limit === undefined) return undefined;
  return BigInt(limit) > held ? BigInt(limit) - held : 0n;
}

/**
 * Why a cluster may not have a pinned range of load balancer addresses besides those that it holds; undefined when it
 * may. A range that is larger than the limit is rejected as a whole: users rely on each of its addresses.
 */
export function pinnedRangeFault(
  range: { readonly start: string; readonly end: string },
  network: Network,
  held: bigint,
): string | undefined {
  const left = addressesLeft(network, held);
  const asked = addressCount(range.start, range.end);
  if (left === undefined || asked <= left) return undefined;
  const limit = network?.quotaPerTenant?.maxLoadBalancerIPs ?? 0;
  return (
    `maxLoadBalancerIPs in the ProviderConfig is ${limit}, ${held} in use, ${asked} more requested; ` +
    "choose a smaller range or ask a platform administrator for a higher limit"
  );
}
