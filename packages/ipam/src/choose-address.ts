import { formatIpAddress, type IpRange, parseIpAddress, rangeContains } from "@butler/std";

/** What a load balancer has, wants and can get. */
export interface AddressChoice {
  /** Addresses that may be given out; the ranges are tried in this order. */
  readonly ranges: readonly IpRange[];
  /** Addresses that others have. */
  readonly taken: ReadonlySet<string>;
  /** What it has now. */
  readonly current?: string | undefined;
  /** The one address that it asks for. */
  readonly requested?: string | undefined;
}

/**
 * The address that a load balancer is to have: the one it asks for if it does, else the one it has for as long as it may,
 * else the lowest free one of the first range that has any. Undefined when there is none.
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

/** Whether a text is an address of one of some ranges. */
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
