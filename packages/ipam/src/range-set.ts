import type { IpRange } from "@butler/std";

/** Sets of addresses of one family as ascending lists of disjoint ranges. */

/** Number of addresses in a range. */
export function sizeOf({ first, last }: Pick<IpRange, "first" | "last">): bigint {
  return last - first + 1n;
}

/** Total number of addresses in disjoint ranges. */
export function sumOf(ranges: readonly IpRange[]): bigint {
  return ranges.reduce((sum, range) => sum + sizeOf(range), 0n);
}

/** The intersection of two ranges; undefined if they are disjoint. */
export function clip(range: IpRange, { family, first, last }: IpRange): IpRange | undefined {
  const from = range.first > first ? range.first : first;
  const to = range.last < last ? range.last : last;
  return range.family === family && from <= to ? { family, first: from, last: to } : undefined;
}

/** Ranges in ascending order with overlapping ones merged. Adjacent ranges stay separate. */
export function merged(ranges: Iterable<IpRange>): IpRange[] {
  return joined(ranges, 0n);
}

/** The same with adjacent ranges merged too: the minimum number of ranges with the same addresses. */
export function fused(ranges: Iterable<IpRange>): IpRange[] {
  return joined(ranges, 1n);
}

function joined(ranges: Iterable<IpRange>, reach: bigint): IpRange[] {
  const sorted = [...ranges].sort((left, right) => compare(left.first, right.first));
  const result: IpRange[] = [];
  for (const range of sorted) {
    const before = result.at(-1);
    if (before === undefined || range.first >= before.last + 1n + reach) result.push(range);
    else if (range.last > before.last) result[result.length - 1] = { ...before, last: range.last };
  }
  return result;
}

/** The difference of two lists of merged ranges. */
export function without(ranges: readonly IpRange[], taken: readonly IpRange[]): IpRange[] {
  const result: IpRange[] = [];
  let at = 0;
  for (const { family, first, last } of ranges) {
    while (at < taken.length && (taken[at]?.last ?? 0n) < first) at++;
    let from = first;
    for (let hole = taken[at]; hole !== undefined && hole.first <= last; hole = taken[at]) {
      if (hole.first > from) result.push({ family, first: from, last: hole.first - 1n });
      from = hole.last + 1n;
      // A hole that extends beyond this range may reach into the next one.
      if (hole.last > last) break;
      at++;
    }
    if (from <= last) result.push({ family, first: from, last });
  }
  return result;
}

function compare(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
