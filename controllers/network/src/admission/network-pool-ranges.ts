import { effectiveRanges, type NetworkPool } from "@butler/api";
import { formatIpAddress, type IpRange, parseIpAddress, parseIpRange, rangesOverlap } from "@butler/std";

/** The first range that both pools could allocate from; undefined when there is none. */
export function commonRange(left: NetworkPool, right: NetworkPool): IpRange | undefined {
  const theirs = givenRanges(right);
  return givenRanges(left)
    .flatMap((range) => theirs.flatMap((other) => common(range, other) ?? []))
    .at(0);
}

/** What tenants may get: the ranges, or the whole network. Empty when the spec is invalid. */
function givenRanges({ spec }: NetworkPool): IpRange[] {
  const ranges = rangesOf(spec);
  const network = networkOf(spec.cidr);
  return ranges.length > 0 || network === undefined ? ranges : [network];
}

/** The intersection of two ranges; undefined when it is empty. */
export function common(left: IpRange, right: IpRange): IpRange | undefined {
  if (!rangesOverlap(left, right)) return undefined;
  const first = left.first > right.first ? left.first : right.first;
  return { family: left.family, first, last: left.last < right.last ? left.last : right.last };
}

/** A range without other ranges. */
export function without(range: IpRange, cuts: readonly IpRange[]): IpRange[] {
  return cuts.reduce<IpRange[]>(
    (parts, cut) =>
      parts.flatMap((part) => {
        const gone = common(part, cut);
        if (gone === undefined) return [part];
        const before = { ...part, last: gone.first - 1n };
        const after = { ...part, first: gone.last + 1n };
        return [before, after].filter(({ first, last }) => first <= last);
      }),
    [range],
  );
}

/** A range for a message. */
export function rangeText({ family, first, last }: IpRange): string {
  const [from = "", to = ""] = [first, last].map((value) => formatIpAddress({ family, value }));
  return from === to ? from : `${from} to ${to}`;
}

/** All addresses from one to another, as a list to spread; empty when the texts are not a range. */
export function rangeBetween(start: string, end: string): IpRange[] {
  const [first, last] = [parseIpAddress(start), parseIpAddress(end)];
  if (first === undefined || last === undefined) return [];
  return [{ family: first.family, first: first.value, last: last.value }];
}

/** The valid ranges of a pool. */
export function rangesOf({ tenantAllocation }: NetworkPool["spec"]): IpRange[] {
  return effectiveRanges(tenantAllocation).flatMap(({ start, end }) => rangeBetween(start, end));
}

/** A network; undefined when the text is not a CIDR. */
export function networkOf(cidr: string): IpRange | undefined {
  try {
    return parseIpRange(cidr);
  } catch {
    return undefined;
  }
}

/** Whether a range contains another one. */
export function holds(outer: IpRange, inner: IpRange): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}
