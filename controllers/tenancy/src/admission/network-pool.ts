import { effectiveRanges, IPAllocation, NetworkPool } from "@butler/api";
import { type AdmissionHandler, type AdmissionRequest, type Denial, type KubeClient, listAll } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import {
  deepEqual,
  type IpAddress,
  type IpRange,
  parseIpAddress,
  parseIpRange,
  rangeContains,
  rangesOverlap,
} from "@butler/std";
import { nameSome } from "../shared/index.ts";
import { denied } from "./denials.ts";

/** Everything that a judgement about a pool is made from. */
export interface NetworkPoolInput {
  readonly pool: NetworkPool;
  readonly before: NetworkPool | undefined;
  /** Every IPAllocation in the pool's namespace. */
  readonly allocations: readonly IPAllocation[];
}

/** Every reason to refuse a pool or its change. */
export function decideNetworkPool({ pool, before, allocations }: NetworkPoolInput): Denial[] {
  if (isBeingDeleted(pool) || (before !== undefined && deepEqual(before.spec, pool.spec))) return [];
  const network = networkOf(pool.spec.cidr);
  if (network === undefined) return denied("INVALID", "spec.cidr", `${pool.spec.cidr} is not a network`);
  const faults = [...rangeDenials(pool, network), ...reservedDenials(pool, network)];
  if (faults.length > 0 || before === undefined) return faults;
  return [...growthDenials(before, network), ...allocationDenials(pool, allocations)];
}

const rangesPath = "spec.tenantAllocation.ranges";

function rangeDenials({ spec }: NetworkPool, network: IpRange): Denial[] {
  let previous: { readonly family: number; readonly value: bigint } | undefined;
  return effectiveRanges(spec.tenantAllocation).flatMap(({ start, end }, at) => {
    const path = `${rangesPath}[${at}]`;
    const [first, last] = [parseIpAddress(start), parseIpAddress(end)];
    if (first === undefined || last === undefined || first.family !== last.family || first.value > last.value) {
      return denied("INVALID", path, `${start} to ${end} is not a range: start and end must be addresses in order`);
    }
    const isInside = rangeContains(network, first) && rangeContains(network, last);
    const isAfter = previous === undefined || first.value > previous.value;
    previous = last;
    return [
      ...(isInside ? [] : denied("INVALID", path, `${start} to ${end} is not inside ${spec.cidr}`)),
      ...(isAfter ? [] : denied("INVALID", path, `${start} must come after the end of the range before it`)),
    ];
  });
}

function reservedDenials({ spec }: NetworkPool, network: IpRange): Denial[] {
  const ranges = rangesOf(spec);
  return (spec.reserved ?? []).flatMap(({ cidr }, at) => {
    const path = `spec.reserved[${at}].cidr`;
    const reserved = networkOf(cidr);
    if (reserved === undefined) return denied("INVALID", path, `${cidr} is not a network`);
    if (!holds(network, reserved)) return denied("INVALID", path, `${cidr} is not inside ${spec.cidr}`);
    const cut = ranges.find((range) => rangesOverlap(range, reserved) && !holds(range, reserved));
    if (cut === undefined) return [];
    return denied("INVALID", path, `${cidr} lies across the border of a range for tenants; keep it inside or outside`);
  });
}

function growthDenials({ spec }: NetworkPool, network: IpRange): Denial[] {
  const old = networkOf(spec.cidr);
  if (old === undefined || holds(network, old)) return [];
  return denied("NOT_ALLOWED", "spec.cidr", `must contain ${spec.cidr}, which it was before: a pool can only grow`);
}

function allocationDenials(pool: NetworkPool, allocations: readonly IPAllocation[]): Denial[] {
  const ranges = rangesOf(pool.spec);
  if (ranges.length === 0) return [];
  return allocatedFrom(pool, allocations).flatMap((allocation) => {
    const outside = addressesOf(allocation).filter(
      ([, address]) => !ranges.some((range) => rangeContains(range, address)),
    );
    if (outside.length === 0) return [];
    const addresses = nameSome(outside.map(([text]) => text));
    const message = `IPAllocation ${allocation.metadata.name} has ${addresses}, which no range would contain`;
    return denied("IN_USE", rangesPath, message);
  });
}

/** Every reason to refuse the deletion of a pool: the addresses of it that are in use. */
export function decideNetworkPoolDeletion(pool: NetworkPool, allocations: readonly IPAllocation[]): Denial[] {
  const names = allocatedFrom(pool, allocations).map(({ metadata }) => metadata.name);
  if (names.length === 0) return [];
  const message = `${names.length} IPAllocation(s) have addresses of this pool: ${nameSome(names.sort())}`;
  return denied("IN_USE", "", message);
}

/** Sentences about what is accepted and not read. */
export function networkPoolWarnings({ spec: { tenantAllocation } }: NetworkPool): string[] {
  const { start = "", end = "", ranges = [] } = tenantAllocation ?? {};
  if (ranges.length === 0 || (start === "" && end === "")) return [];
  return ["spec.tenantAllocation.start and end are not read, because ranges has entries"];
}

function allocatedFrom({ metadata }: NetworkPool, allocations: readonly IPAllocation[]): IPAllocation[] {
  return allocations.filter(({ spec, status }) => spec.poolRef.name === metadata.name && status?.phase === "Allocated");
}

function addressesOf({ status }: IPAllocation): (readonly [string, IpAddress])[] {
  const { addresses = [], startAddress, endAddress } = status ?? {};
  return [...new Set([...addresses, startAddress, endAddress])].flatMap((text) => {
    const address = text === undefined ? undefined : parseIpAddress(text);
    return text === undefined || address === undefined ? [] : [[text, address] as const];
  });
}

function rangesOf({ tenantAllocation }: NetworkPool["spec"]): IpRange[] {
  return effectiveRanges(tenantAllocation).flatMap(({ start, end }) => {
    const [first, last] = [parseIpAddress(start), parseIpAddress(end)];
    if (first === undefined || last === undefined) return [];
    return [{ family: first.family, first: first.value, last: last.value }];
  });
}

function networkOf(cidr: string): IpRange | undefined {
  try {
    return parseIpRange(cidr);
  } catch {
    return undefined;
  }
}

function holds(outer: IpRange, inner: IpRange): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

/** Judges pools when they are made, changed or deleted. */
export function networkPoolAdmission(client: Pick<KubeClient, "list">): AdmissionHandler<typeof NetworkPool> {
  return {
    path: "/validate-butler-butlerlabs-dev-v1alpha1-networkpool",
    kind: NetworkPool,
    validate: (request, signal) => judge(request, client, signal),
    warn: ({ object }) => (object === undefined ? [] : networkPoolWarnings(object)),
  };
}

async function judge(
  { operation, object: pool, oldObject: before, namespace }: AdmissionRequest<NetworkPool>,
  client: Pick<KubeClient, "list">,
  signal: AbortSignal,
): Promise<Denial[]> {
  const allocations: IPAllocation[] = [];
  if (before !== undefined) {
    for await (const allocation of listAll(client, IPAllocation, { namespace, signal })) allocations.push(allocation);
  }
  if (operation === "DELETE") return before === undefined ? [] : decideNetworkPoolDeletion(before, allocations);
  return pool === undefined ? [] : decideNetworkPool({ pool, before, allocations });
}
