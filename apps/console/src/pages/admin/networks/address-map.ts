import { type IPAllocation, effectiveRanges, type NetworkPool } from "@butler/api";
import { formatIpAddress, type IpAddress, type IpRange, parseIpAddress, parseIpRange } from "@butler/std";

/** Uses of an address range, in order of precedence where ranges overlap. */
export const partKinds = [
  "reserved",
  "platform",
  "nodes",
  "loadbalancer",
  "promised",
  "resting",
  "free",
  "outside",
] as const;
export type PartKind = (typeof partKinds)[number];

/** Display names of the kinds. */
export const partWords: Readonly<Record<PartKind, string>> = {
  reserved: "Reserved",
  platform: "Platform",
  nodes: "Nodes",
  loadbalancer: "Load balancers",
  promised: "Pending",
  resting: "Quarantined",
  free: "Free",
  outside: "Outside tenant ranges",
};

/** A contiguous part of a network. */
export interface MapPart extends IpRange {
  readonly kind: PartKind;
  /** Owner or purpose. */
  readonly label: string;
}

/** Input of the address map. */
export interface MapFacts {
  readonly pool: Pick<NetworkPool, "spec" | "status">;
  readonly allocations: readonly Pick<IPAllocation, "metadata" | "spec" | "status">[];
  readonly now: Date;
}

/** Splits a network into parts that cover every address exactly once, at their actual positions. */
export function addressMap(facts: MapFacts): readonly MapPart[] {
  const network = parseIpRange(facts.pool.spec.cidr);
  const inside = [...poolMarks(facts, network), ...allocationMarks(facts)].flatMap(({ range, kind, label }) => {
    if (range === undefined || range.family !== network.family) return [];
    const first = range.first > network.first ? range.first : network.first;
    const last = range.last < network.last ? range.last : network.last;
    return first <= last ? [{ family: network.family, first, last, kind, label }] : [];
  });
  return flatten([{ ...network, kind: "outside", label: "" }, ...inside]);
}

interface Mark {
  readonly range: IpRange | undefined;
  readonly kind: PartKind;
  readonly label: string;
}

function poolMarks({ pool: { spec, status } }: MapFacts, network: IpRange): readonly Mark[] {
  const ranges = effectiveRanges(spec.tenantAllocation).map(({ start, end }) => rangeBetween(start, end));
  const free = ranges.length === 0 ? [network] : ranges;
  const { infrastructureAllocations = [], grants = [] } = status ?? {};
  return [
    ...free.map((range): Mark => ({ range, kind: "free", label: "" })),
    ...(spec.reserved ?? []).map(({ cidr, description = "" }): Mark => ({
      range: networkOrNone(cidr),
      kind: "reserved",
      label: description,
    })),
    ...infrastructureAllocations.map(({ ip, source }): Mark => ({
      range: rangeBetween(ip, ip),
      kind: "platform",
      label: source,
    })),
    ...grants.map(({ name, startAddress, endAddress }): Mark => ({
      range: rangeBetween(startAddress, endAddress),
      kind: "promised",
      label: name,
    })),
  ];
}

function allocationMarks({ allocations, now }: MapFacts): readonly Mark[] {
  return allocations.flatMap((allocation) => {
    const kind = kindOf(allocation, now);
    const { name, namespace } = allocation.spec.tenantClusterRef;
    const label = namespace === undefined ? name : `${namespace}/${name}`;
    return kind === undefined ? [] : rangesOf(allocation).map((range): Mark => ({ range, kind, label }));
  });
}

function kindOf({ spec, status }: MapFacts["allocations"][number], now: Date): PartKind | undefined {
  if (status?.phase === "Allocated") return spec.type;
  const isResting = status?.quarantineUntil !== undefined && Date.parse(status.quarantineUntil) > now.getTime();
  return status?.phase === "Released" && isResting ? "resting" : undefined;
}

/** The addresses of an allocation as ranges; they need not be contiguous. */
function rangesOf({ status }: MapFacts["allocations"][number]): readonly (IpRange | undefined)[] {
  const { addresses = [], startAddress = "", endAddress = "" } = status ?? {};
  const values = addresses.flatMap((text) => parseIpAddress(text) ?? []);
  return values.length === 0 ? [rangeBetween(startAddress, endAddress)] : runsOf(values);
}

function runsOf(values: readonly IpAddress[]): readonly IpRange[] {
  const found: IpRange[] = [];
  for (const { family, value } of values.toSorted((left, right) => (left.value < right.value ? -1 : 1))) {
    const before = found.at(-1);
    if (before?.last === value - 1n && before.family === family) found[found.length - 1] = { ...before, last: value };
    else found.push({ family, first: value, last: value });
  }
  return found;
}

function rangeBetween(start: string, end: string): IpRange | undefined {
  const [first, last] = [parseIpAddress(start), parseIpAddress(end)];
  if (first === undefined || last === undefined || first.family !== last.family) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

function networkOrNone(cidr: string): IpRange | undefined {
  try {
    return parseIpRange(cidr);
  } catch {
    // An invalid CIDR cannot be drawn; the pool's conditions report it.
    return undefined;
  }
}

/** Sweeps from the first address to the last. Where parts overlap, the one with the highest precedence wins. */
function flatten(marked: readonly MapPart[]): readonly MapPart[] {
  const cuts = [...new Set(marked.flatMap(({ first, last }) => [first, last + 1n]))].sort((left, right) =>
    left < right ? -1 : 1,
  );
  const byStart = marked.toSorted((left, right) => (left.first < right.first ? -1 : left.first > right.first ? 1 : 0));
  const parts: MapPart[] = [];
  let active: MapPart[] = [];
  let taken = 0;
  for (const [index, first] of cuts.slice(0, -1).entries()) {
    const last = (cuts[index + 1] ?? first + 1n) - 1n;
    active = active.filter((part) => part.last >= first);
    for (; byStart[taken] !== undefined && (byStart[taken]?.first ?? 0n) <= first; taken++) {
      active.push(...byStart.slice(taken, taken + 1));
    }
    const [seen] = active.toSorted((left, right) => partKinds.indexOf(left.kind) - partKinds.indexOf(right.kind));
    if (seen === undefined) continue;
    const before = parts.at(-1);
    if (before !== undefined && before.kind === seen.kind && before.label === seen.label) {
      parts[parts.length - 1] = { ...before, last };
    } else parts.push({ ...seen, first, last });
  }
  return parts;
}

/** Number of addresses in a range. */
export const sizeOf = ({ first, last }: IpRange): bigint => last - first + 1n;

/** A range for display: one address, or the first and the last. */
export function rangeText({ family, first, last }: IpRange): string {
  const start = formatIpAddress({ family, value: first });
  return first === last ? start : `${start} – ${formatIpAddress({ family, value: last })}`;
}

/** Number of addresses per kind. Kinds without addresses are omitted. */
export function partCounts(parts: readonly MapPart[]): readonly (readonly [PartKind, bigint])[] {
  return partKinds.flatMap((kind) => {
    const count = parts.filter((part) => part.kind === kind).reduce((sum, part) => sum + sizeOf(part), 0n);
    return count === 0n ? [] : [[kind, count] as const];
  });
}
