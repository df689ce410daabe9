import { InvalidInput, type IpRange, parseIpRange, requireIpAddress } from "@butler/std";
import { clip, merged, without } from "./range-set.ts";

/** What a pool consists of. No ranges means the whole network. */
export interface PoolShape {
  readonly network: IpRange;
  readonly ranges: readonly IpRange[];
  readonly reserved: readonly IpRange[];
}

/** A pool as in its spec, with the single start and end converted to a range. */
export interface PoolSpec {
  readonly cidr: string;
  readonly reserved?: readonly { readonly cidr: string }[] | undefined;
  readonly ranges: readonly { readonly start: string; readonly end: string }[];
}

/** Parses the spec of a pool; throws with the path of the invalid field. */
export function poolShapeOf({ cidr, reserved = [], ranges }: PoolSpec): PoolShape {
  const network = at("cidr", () => parseIpRange(cidr));
  const within = (path: string, range: IpRange): IpRange => {
    if (contains(network, range)) return range;
    throw new InvalidInput(`${path}: must be within ${cidr}`, {
      hint: "Use a range within the pool's network, or change spec.cidr to a larger network.",
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

/** The managed ranges, ascending, with overlapping ones merged. */
export function managedRanges({ network, ranges }: PoolShape): IpRange[] {
  return ranges.length === 0 ? [network] : insideOf(network, ranges);
}

/** The reserved ranges, ascending, with overlapping ones merged. */
export function reservedRanges({ network, reserved }: PoolShape): IpRange[] {
  return insideOf(network, reserved);
}

/** The allocatable ranges: managed ranges without reserved addresses. A block never spans several of them. */
export function usableRanges(shape: PoolShape): IpRange[] {
  return without(managedRanges(shape), reservedRanges(shape));
}

/** Whether a range contains another one. */
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
  throw new InvalidInput(`${path}: ${start} to ${end} is not a valid range`, {
    hint: "Set start to the lower and end to the higher address, of the same address family.",
  });
}

function inOrder(ranges: readonly IpRange[]): readonly IpRange[] {
  const wrong = ranges.findIndex((range, index) => range.first <= (ranges[index - 1]?.last ?? -1n));
  if (wrong < 0) return ranges;
  throw new InvalidInput(`ranges[${wrong}]: must start after ranges[${wrong - 1}]`, {
    hint: "List the ranges in ascending order and without overlap.",
  });
}

/** Adds the path to an error. */
function at<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(`${path}: ${error.message}`, error.hint === undefined ? {} : { hint: error.hint });
  }
}
