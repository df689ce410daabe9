import { newObject } from "@butler/administration";
import { effectiveRanges, NetworkPool } from "@butler/api";
import type { DynamicObject } from "@butler/resource";
import { InvalidInput, parseIpAddress } from "@butler/std";

/** The first and the last address of a range. */
export interface AddressRange {
  readonly start: string;
  readonly end: string;
}

/** A block of a network that is never allocated. */
export interface Reserved {
  readonly cidr: string;
  readonly description?: string | undefined;
}

/** The command line options of a pool. */
export interface PoolWish {
  readonly cidr?: string | undefined;
  readonly ranges?: readonly AddressRange[] | undefined;
  readonly reserved?: readonly Reserved[] | undefined;
  readonly nodesPerTenant?: number | undefined;
  readonly lbPerTenant?: number | undefined;
}

/** Parses `10.40.1.0-10.40.1.255`; undefined when it is not a range. */
export function parseRange(word: string): AddressRange | undefined {
  const [start = "", end = "", ...more] = word.split("-").map((part) => part.trim());
  const [first, last] = [parseIpAddress(start), parseIpAddress(end)];
  const isRange = more.length === 0 && first !== undefined && last !== undefined && first.family === last.family;
  return isRange && first.value <= last.value ? { start, end } : undefined;
}

/** Parses `10.40.0.0/28` or `10.40.0.0/28=Switches`. */
export function parseReserved(word: string): Reserved {
  const at = word.indexOf("=");
  return at < 0 ? { cidr: word } : { cidr: word.slice(0, at), description: word.slice(at + 1) };
}

function valueOf({ start }: AddressRange): bigint {
  return parseIpAddress(start)?.value ?? 0n;
}

/** Ranges in the order that the API requires. */
function inOrder(ranges: readonly AddressRange[]): AddressRange[] {
  return [...ranges].sort((left, right) => (valueOf(left) < valueOf(right) ? -1 : 1));
}

function defaultsOf({ nodesPerTenant, lbPerTenant }: PoolWish): Record<string, number> {
  return {
    ...(nodesPerTenant === undefined ? {} : { nodesPerTenant }),
    ...(lbPerTenant === undefined ? {} : { lbPoolPerTenant: lbPerTenant }),
  };
}

/** Builds the pool from the command line options. */
export function buildPool(key: { readonly name: string; readonly namespace: string }, wish: PoolWish): DynamicObject {
  const { cidr, ranges = [], reserved = [] } = wish;
  const defaults = defaultsOf(wish);
  const allocation = {
    ...(ranges.length === 0 ? {} : { ranges: inOrder(ranges) }),
    ...(Object.keys(defaults).length === 0 ? {} : { defaults }),
  };
  return newObject(NetworkPool, key, {
    spec: {
      cidr,
      ...(reserved.length === 0 ? {} : { reserved }),
      ...(Object.keys(allocation).length === 0 ? {} : { tenantAllocation: allocation }),
    },
  });
}

/** A change of a pool. */
export interface Resize extends Omit<PoolWish, "ranges" | "reserved"> {
  readonly addRanges: readonly AddressRange[];
  readonly removeRanges: readonly AddressRange[];
  readonly reserve: readonly Reserved[];
  readonly unreserve: readonly string[];
}

/** Whether there is anything to change. */
export function isResize({ cidr, nodesPerTenant, lbPerTenant, ...lists }: Resize): boolean {
  const single = [cidr, nodesPerTenant, lbPerTenant].some((value) => value !== undefined);
  return single || Object.values(lists).some((list) => list.length > 0);
}

/** The patch for a change of a pool. A single start and end is converted to a range. */
export function planResize({ spec }: NetworkPool, resize: Resize): Readonly<Record<string, unknown>> {
  const { cidr, addRanges, removeRanges } = resize;
  const reserved = reservedAfter(spec.reserved ?? [], resize);
  const hasRanges = addRanges.length + removeRanges.length > 0;
  const ranges = hasRanges ? rangesAfter(effectiveRanges(spec.tenantAllocation), resize) : undefined;
  const defaults = defaultsOf(resize);
  const allocation = {
    ...(ranges === undefined ? {} : { ranges, start: null, end: null }),
    ...(Object.keys(defaults).length === 0 ? {} : { defaults }),
  };
  return {
    spec: {
      ...(cidr === undefined ? {} : { cidr }),
      ...(reserved === undefined ? {} : { reserved }),
      ...(Object.keys(allocation).length === 0 ? {} : { tenantAllocation: allocation }),
    },
  };
}

const isSameRange =
  (one: AddressRange) =>
  (other: AddressRange): boolean =>
    one.start === other.start && one.end === other.end;

function rangesAfter(current: readonly AddressRange[], { addRanges, removeRanges }: Resize): AddressRange[] {
  if (current.length === 0 && addRanges.length > 0) {
    throw new InvalidInput("cannot add a range: the whole network is already allocatable", {
      hint: "To exclude a block from allocation, reserve it with --reserve.",
    });
  }
  const strange = removeRanges.find((range) => !current.some(isSameRange(range)));
  if (strange !== undefined) {
    throw new InvalidInput(`the pool has no range ${strange.start}-${strange.end}`, {
      hint: `Current ranges: ${current.map(({ start, end }) => `${start}-${end}`).join(", ") || "none"}.`,
    });
  }
  const kept = current.filter((range) => !removeRanges.some(isSameRange(range)));
  const after = inOrder([...kept, ...addRanges]);
  if (after.length > 0) return after;
  throw new InvalidInput("cannot remove the last range: the whole network would become allocatable", {
    hint: "Add the replacement range in the same command.",
  });
}

function reservedAfter(current: readonly Reserved[], { reserve, unreserve }: Resize): Reserved[] | undefined {
  if (reserve.length + unreserve.length === 0) return undefined;
  const strange = unreserve.find((cidr) => !current.some((each) => each.cidr === cidr));
  if (strange !== undefined) {
    throw new InvalidInput(`${strange} is not reserved`, {
      hint: `Reserved blocks: ${current.map(({ cidr }) => cidr).join(", ") || "none"}.`,
    });
  }
  const replaced = new Set([...unreserve, ...reserve.map(({ cidr }) => cidr)]);
  return [...current.filter(({ cidr }) => !replaced.has(cidr)), ...reserve];
}
