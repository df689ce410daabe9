import { formatIpAddress, type IpRange } from "@butler/std";
import { sizeOf } from "./range-set.ts";

/** Maximum number of addresses that are listed individually, because of the object size limit. */
const mostListed = 65_536n;

/** A range as in the status of an allocation. */
export interface RangeDescription {
  /** Set only if the addresses form exactly one CIDR. */
  readonly cidr?: string;
  readonly startAddress: string;
  readonly endAddress: string;
  /** The CIDR, or else the first and last address separated by a dash. */
  readonly text: string;
  /** All addresses, at most the first 65,536. Computed on access, because few callers need them. */
  readonly addresses: readonly string[];
  readonly count: bigint;
}

/** Describes a range for a status. */
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

/** The range as a CIDR; undefined if its size is not a power of two or its start is not aligned. */
function cidrOf(range: IpRange): string | undefined {
  const size = sizeOf(range);
  if ((size & (size - 1n)) !== 0n || (range.first & (size - 1n)) !== 0n) return undefined;
  const hostBits = size.toString(2).length - 1;
  return `${textOf(range.family, range.first)}/${(range.family === 4 ? 32 : 128) - hostBits}`;
}

/** Counts in a status are JSON numbers: larger values are capped at the largest exact integer. */
export function statusNumber(count: bigint): number {
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(count);
}

function textOf(family: 4 | 6, value: bigint): string {
  return formatIpAddress({ family, value });
}
