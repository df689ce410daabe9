import { effectiveRanges, IPAllocation, NetworkPool } from "@butler/api";
import { denied } from "@butler/controller";
import {
  admissionHandler,
  type AdmissionRequest,
  type Denial,
  type KubeClient,
  listAll,
  type ListOptions,
  type ObjectFor,
} from "@butler/kube";
import { keyText, type Kind } from "@butler/resource";
import { deepEqual, type IpRange, nameSome, parseIpAddress, rangeContains, rangesOverlap } from "@butler/std";
import {
  common,
  commonRange,
  holds,
  networkOf,
  rangeBetween,
  rangesOf,
  rangeText,
  without,
} from "./network-pool-ranges.ts";

/** The input for validating a pool. */
export interface NetworkPoolInput {
  readonly pool: NetworkPool;
  readonly before: NetworkPool | undefined;
  /** Every IPAllocation in the pool's namespace. */
  readonly allocations: readonly IPAllocation[];
  /** Every pool, of all namespaces. */
  readonly pools: readonly NetworkPool[];
}

/** Every reason to reject a pool or a change to it. */
export function decideNetworkPool({ pool, before, allocations, pools }: NetworkPoolInput): Denial[] {
  if (before !== undefined && deepEqual(before.spec, pool.spec)) return [];
  const network = networkOf(pool.spec.cidr);
  if (network === undefined) return denied("INVALID", "spec.cidr", `${pool.spec.cidr} is not a valid CIDR`);
  const faults = [...rangeDenials(pool, network), ...reservedDenials(pool, network)];
  if (faults.length > 0) return faults;
  const overlaps = overlapDenials(pool, before, pools);
  if (before === undefined) return overlaps;
  const inUse = inUseOf(before, allocations);
  return [
    ...overlaps,
    ...growthDenials(before, network),
    ...rangeUseDenials(pool, inUse),
    ...reservedUseDenials(pool, before, inUse),
  ];
}

const rangesPath = "spec.tenantAllocation.ranges";

function rangeDenials({ spec }: NetworkPool, network: IpRange): Denial[] {
  let previous: { readonly family: number; readonly value: bigint } | undefined;
  return effectiveRanges(spec.tenantAllocation).flatMap(({ start, end }, at) => {
    const path = `${rangesPath}[${at}]`;
    const [first, last] = [parseIpAddress(start), parseIpAddress(end)];
    if (first === undefined || last === undefined || first.family !== last.family || first.value > last.value) {
      return denied(
        "INVALID",
        path,
        `${start} to ${end} is not a valid range: start and end must be addresses in ascending order`,
      );
    }
    const isInside = rangeContains(network, first) && rangeContains(network, last);
    const isAfter = previous === undefined || first.value > previous.value;
    previous = last;
    return [
      ...(isInside ? [] : denied("INVALID", path, `${start} to ${end} is not within ${spec.cidr}`)),
      ...(isAfter ? [] : denied("INVALID", path, `${start} must be greater than the end of the previous range`)),
    ];
  });
}

function reservedDenials({ spec }: NetworkPool, network: IpRange): Denial[] {
  const ranges = rangesOf(spec);
  return (spec.reserved ?? []).flatMap(({ cidr }, at) => {
    const path = `spec.reserved[${at}].cidr`;
    const reserved = networkOf(cidr);
    if (reserved === undefined) return denied("INVALID", path, `${cidr} is not a valid CIDR`);
    if (!holds(network, reserved)) return denied("INVALID", path, `${cidr} is not within ${spec.cidr}`);
    const cut = ranges.find((range) => rangesOverlap(range, reserved) && !holds(range, reserved));
    if (cut === undefined) return [];
    return denied("INVALID", path, `${cidr} partly overlaps a tenant range; it must be entirely inside or outside`);
  });
}

function growthDenials({ spec }: NetworkPool, network: IpRange): Denial[] {
  const old = networkOf(spec.cidr);
  if (old === undefined || holds(network, old)) return [];
  return denied("NOT_ALLOWED", "spec.cidr", `must contain the previous network ${spec.cidr}: a pool can only grow`);
}

/** Rejects new overlaps between pools; the controller handles existing ones. */
function overlapDenials(pool: NetworkPool, before: NetworkPool | undefined, pools: readonly NetworkPool[]): Denial[] {
  return pools.flatMap((other) => {
    const shared = isSame(pool, other) ? undefined : commonRange(pool, other);
    if (shared === undefined || (before !== undefined && commonRange(before, other) !== undefined)) return [];
    const path = effectiveRanges(pool.spec.tenantAllocation).length > 0 ? rangesPath : "spec.cidr";
    const name = keyText(other.metadata);
    const message = `${rangeText(shared)} overlaps NetworkPool ${name}; give the two pools disjoint ranges`;
    return denied("DUPLICATE", path, message);
  });
}

function isSame(left: NetworkPool, right: NetworkPool): boolean {
  return keyText(left.metadata) === keyText(right.metadata);
}

/**
 * An allocation with addresses of a pool: allocated, released and in quarantine, or granted but not yet in its status.
 */
interface InUse {
  readonly name: string;
  readonly ranges: readonly IpRange[];
}

function inUseOf(pool: NetworkPool, allocations: readonly IPAllocation[]): InUse[] {
  const live = drawnFrom(pool, allocations).filter(({ status }) =>
    ["Allocated", "Released"].includes(status?.phase ?? ""),
  );
  const held = live.map((allocation) => ({ name: allocation.metadata.name, ranges: rangesInUse(allocation) }));
  const promised = (pool.status?.grants ?? []).map(({ name, startAddress, endAddress }) => ({
    name,
    ranges: rangeBetween(startAddress, endAddress),
  }));
  return [...held, ...promised];
}

function rangeUseDenials({ spec }: NetworkPool, inUse: readonly InUse[]): Denial[] {
  const ranges = rangesOf(spec);
  if (ranges.length === 0) return [];
  const lost = (used: IpRange): IpRange[] => without(used, ranges);
  return useDenials(inUse, { path: rangesPath, lost, why: "which would be outside all ranges" });
}

function reservedUseDenials(pool: NetworkPool, before: NetworkPool, inUse: readonly InUse[]): Denial[] {
  const reservedBy = ({ spec }: NetworkPool): IpRange[] =>
    (spec.reserved ?? []).flatMap(({ cidr }) => networkOf(cidr) ?? []);
  const [now, then] = [reservedBy(pool), reservedBy(before)];
  const lost = (used: IpRange): IpRange[] =>
    now.flatMap((reserved) => common(used, reserved) ?? []).flatMap((part) => without(part, then));
  return useDenials(inUse, { path: "spec.reserved", lost, why: "which would be reserved" });
}

interface Loss {
  readonly path: string;
  /** The part of a range in use that would be lost. */
  readonly lost: (used: IpRange) => readonly IpRange[];
  readonly why: string;
}

function useDenials(inUse: readonly InUse[], { path, lost, why }: Loss): Denial[] {
  return inUse.flatMap(({ name, ranges }) => {
    const parts = ranges.flatMap(lost);
    if (parts.length === 0) return [];
    return denied("IN_USE", path, `IPAllocation ${name} uses ${nameSome(parts.map(rangeText))}, ${why}`);
  });
}

/** Every reason to reject the deletion of a pool: its addresses that are in use. */
export function decideNetworkPoolDeletion(pool: NetworkPool, allocations: readonly IPAllocation[]): Denial[] {
  const allocated = drawnFrom(pool, allocations).filter(({ status }) => status?.phase === "Allocated");
  const names = allocated.map(({ metadata }) => metadata.name);
  if (names.length === 0) return [];
  const message = `${names.length} IPAllocation(s) use addresses of this pool: ${nameSome(names.sort())}`;
  return denied("IN_USE", "", message);
}

/** Warnings about fields that are accepted but ignored. */
export function networkPoolWarnings({ spec: { tenantAllocation } }: NetworkPool): string[] {
  const { start = "", end = "", ranges = [] } = tenantAllocation ?? {};
  if (ranges.length === 0 || (start === "" && end === "")) return [];
  return ["spec.tenantAllocation.start and end are ignored because ranges is set"];
}

function drawnFrom({ metadata }: NetworkPool, allocations: readonly IPAllocation[]): IPAllocation[] {
  return allocations.filter(({ spec }) => spec.poolRef.name === metadata.name);
}

/** The addresses of a claim; single addresses become ranges of one. */
function rangesInUse({ status }: IPAllocation): IpRange[] {
  const { addresses = [], startAddress = "", endAddress = "" } = status ?? {};
  const whole = rangeBetween(startAddress, endAddress);
  return whole.length > 0 ? whole : addresses.flatMap((address) => rangeBetween(address, address));
}

/** Validates pools on create, update and delete. */
export function networkPoolAdmission(client: Pick<KubeClient, "list">) {
  return admissionHandler(NetworkPool, {
    validate: (request, signal) => judge(request, client, signal),
    warn: ({ object }) => (object === undefined ? [] : networkPoolWarnings(object)),
  });
}

async function judge(
  { operation, object: pool, oldObject: before, namespace }: AdmissionRequest<NetworkPool>,
  client: Pick<KubeClient, "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  const allocations = before === undefined ? [] : await all(client, IPAllocation, { namespace, signal });
  if (operation === "DELETE") return before === undefined ? [] : decideNetworkPoolDeletion(before, allocations);
  if (pool === undefined) return [];
  return decideNetworkPool({ pool, before, allocations, pools: await all(client, NetworkPool, { signal }) });
}

async function all<K extends Kind>(
  client: Pick<KubeClient, "list">,
  kind: K,
  options: ListOptions,
): Promise<ObjectFor<K>[]> {
  const objects: ObjectFor<K>[] = [];
  for await (const object of listAll(client, kind, options)) objects.push(object);
  return objects;
}
