import type { IpRange } from "@butler/std";

/** Sets of addresses of one family as ascending lists of ranges that have no address in common. */

/** How many addresses a range has. */
export function sizeOf({ first, last }: Pick<IpRange, "first" | "last">): bigint {
  return last - first + 1n;
}

/** How many addresses ranges without overlap have together. */
export function sumOf(ranges: readonly IpRange[]): bigint {
  return ranges.reduce((sum, range) => sum + sizeOf(range), 0n);
}

/** The part of a range that lies in another one; undefined when they have nothing in common. */
export function clip(range: IpRange, { family, first, last }: IpRange): IpRange | undefined {
  const from = range.first > first ? range.first : first;
  const to = range.last < last ? range.last : last;
  return range.family === family && from <= to ? { family, first: from, last: to } : undefined;
}

/** Ranges by their first address, those that overlap made one. Neighbours that only touch stay apart. */
export function merged(ranges: Iterable<IpRange>): IpRange[] {
  return joined(ranges, 0n);
}

/** The same with neighbours that touch made one too: the least number of ranges that have the same addresses. */
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

/** What is left of merged ranges without the addresses of other merged ranges. */
export function without(ranges: readonly IpRange[], taken: readonly IpRange[]): IpRange[] {
  const result: IpRange[] = [];
  let at = 0;
  for (const { family, first, last } of ranges) {
    while (at < taken.length && (taken[at]?.last ?? 0n) < first) at++;
    let from = first;
    for (let hole = taken[at]; hole !== undefined && hole.first <= last; hole = taken[at]) {
      if (hole.first > from) result.push({ family, first: from, last: hole.first - 1n });
      from = hole.last + 1n;
      // A hole that goes on behind this range may reach into the next.
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
