import { formatIpAddress, type IpRange, parseIpAddress, rangeContains } from "@butler/std";

/** Input for choosing a load balancer's address. */
export interface AddressChoice {
  /** Available ranges, tried in this order. */
  readonly ranges: readonly IpRange[];
  /** Addresses of other load balancers. */
  readonly taken: ReadonlySet<string>;
  /** What it has now. */
  readonly current?: string | undefined;
  /** Requested address. */
  readonly requested?: string | undefined;
}

/**
 * Chooses the address of a load balancer: the requested one if set, else the current one if still valid, else the
 * lowest free one of the first range that has any. Undefined if there is none.
 */
export function chooseAddress({ ranges, taken, current, requested }: AddressChoice): string | undefined {
  const isFree = (text: string): boolean => !taken.has(text) && isInRanges(ranges, text);
  if (requested !== undefined) return isFree(requested) ? requested : undefined;
  if (current !== undefined && isFree(current)) return current;
  for (const range of ranges) {
    const lowest = lowestFree(range, taken);
    if (lowest !== undefined) return lowest;
  }
  return undefined;
}

/** Whether a text is an address within one of the ranges. */
export function isInRanges(ranges: readonly IpRange[], text: string): boolean {
  const address = parseIpAddress(text);
  return address !== undefined && ranges.some((range) => rangeContains(range, address));
}

function lowestFree({ family, first, last }: IpRange, taken: ReadonlySet<string>): string | undefined {
  for (let value = first; value <= last; value++) {
    const address = formatIpAddress({ family, value });
    if (!taken.has(address)) return address;
  }
  return undefined;
}
