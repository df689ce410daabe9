import { InvalidInput, type IpRange, parseIpRange, requireIpAddress } from "@butler/std";
import { clip, merged, without } from "./range-set.ts";

/** What a pool consists of. No ranges means the whole network. */
export interface PoolShape {
  readonly network: IpRange;
  readonly ranges: readonly IpRange[];
  readonly reserved: readonly IpRange[];
}

/** A pool as its spec writes it, with the older single start and end already read as one range. */
export interface PoolSpec {
  readonly cidr: string;
  readonly reserved?: readonly { readonly cidr: string }[] | undefined;
  readonly ranges: readonly { readonly start: string; readonly end: string }[];
}

/** Reads the spec of a pool, and refuses with the field that is wrong what no addresses can be given from. */
export function poolShapeOf({ cidr, reserved = [], ranges }: PoolSpec): PoolShape {
  const network = at("cidr", () => parseIpRange(cidr));
  const within = (path: string, range: IpRange): IpRange => {
    if (contains(network, range)) return range;
    throw new InvalidInput(`${path}: does not lie inside ${cidr}`, {
      hint: "Name a part of the pool's own network, or give the pool a larger one.",
    });
  };
  return {
    network,
    ranges: inOrder(
      ranges.map(({ start, end }, index) => {
        const path = `ranges[${index}]`;
        return within(path, rangeBetween(path, { start, end }));
      }),
    ),
    reserved: reserved.map((entry, index) => {
      const path = `reserved[${index}].cidr`;
      return within(
        path,
        at(path, () => parseIpRange(entry.cidr)),
      );
    }),
  };
}

/** The ranges that addresses are given from, ascending; those that overlap are one. */
export function managedRanges({ network, ranges }: PoolShape): IpRange[] {
  return ranges.length === 0 ? [network] : insideOf(network, ranges);
}

/** What is never given, ascending; what overlaps is one. */
export function reservedRanges({ network, reserved }: PoolShape): IpRange[] {
  return insideOf(network, reserved);
}

/** What can be given: the managed ranges without what is reserved. A block never crosses from one of these to another. */
export function usableRanges(shape: PoolShape): IpRange[] {
  return without(managedRanges(shape), reservedRanges(shape));
}

/** Whether a range lies wholly in another one. */
export function contains(outer: IpRange, inner: IpRange): boolean {
  return outer.family === inner.family && inner.first >= outer.first && inner.last <= outer.last;
}

function insideOf(network: IpRange, ranges: readonly IpRange[]): IpRange[] {
  return merged(ranges.flatMap((range) => clip(range, network) ?? []));
}

function rangeBetween(path: string, { start, end }: PoolSpec["ranges"][number]): IpRange {
  const first = at(`${path}.start`, () => requireIpAddress(start));
  const last = at(`${path}.end`, () => requireIpAddress(end));
  if (first.family === last.family && first.value <= last.value) {
    return { family: first.family, first: first.value, last: last.value };
  }
  throw new InvalidInput(`${path}: ${start} does not come before ${end}`, {
    hint: "Write the lower address as start and the higher one, of the same family, as end.",
  });
}

function inOrder(ranges: readonly IpRange[]): readonly IpRange[] {
  const wrong = ranges.findIndex((range, index) => range.first <= (ranges[index - 1]?.last ?? -1n));
  if (wrong < 0) return ranges;
  throw new InvalidInput(`ranges[${wrong}]: does not start behind ranges[${wrong - 1}]`, {
    hint: "Write the ranges in ascending order and without overlap.",
  });
}

/** Says where in the spec it went wrong. */
function at<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(`${path}: ${error.message}`, error.hint === undefined ? {} : { hint: error.hint });
  }
}
