import { formatIpAddress, type IpRange } from "@butler/std";
import { sizeOf } from "./range-set.ts";

/** More addresses than these are not listed one by one: an object that held them would not fit into the API. */
const mostListed = 65_536n;

/** A range as the status of an allocation has it. */
export interface RangeDescription {
  /** Only when the addresses make up exactly one network. */
  readonly cidr?: string;
  readonly startAddress: string;
  readonly endAddress: string;
  /** The network, or else the first and the last address with a dash between them. */
  readonly text: string;
  /** Every address, of a large range only the first 65,536. Written out when it is read, as few readers need it. */
  readonly addresses: readonly string[];
  readonly count: bigint;
}

/** How a range is written in a status. */
export function describeRange(range: IpRange): RangeDescription {
  const { family, first, last } = range;
  const count = sizeOf(range);
  const [startAddress, endAddress] = [textOf(family, first), textOf(family, last)];
  const cidr = cidrOf(range);
  return {
    ...(cidr === undefined ? {} : { cidr }),
    startAddress,
    endAddress,
    text: cidr ?? `${startAddress}-${endAddress}`,
    get addresses() {
      const length = Number(count < mostListed ? count : mostListed);
      return Array.from({ length }, (_, at) => textOf(family, first + BigInt(at)));
    },
    count,
  };
}

/** The range as one network; undefined when it is not a power of two in size or does not start at a multiple of it. */
function cidrOf(range: IpRange): string | undefined {
  const size = sizeOf(range);
  if ((size & (size - 1n)) !== 0n || (range.first & (size - 1n)) !== 0n) return undefined;
  const hostBits = size.toString(2).length - 1;
  return `${textOf(range.family, range.first)}/${(range.family === 4 ? 32 : 128) - hostBits}`;
}

/** Counts in a status are JSON numbers: what is larger than the largest exact one is written as that one. */
export function statusNumber(count: bigint): number {
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(count);
}

function textOf(family: 4 | 6, value: bigint): string {
  return formatIpAddress({ family, value });
}
