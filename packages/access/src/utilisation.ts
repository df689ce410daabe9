import type { Limits } from "./limits.ts";
import type { Usage } from "./usage.ts";

/** Resources with quota. */
export type QuotaDimension = "clusters" | "nodes" | "cpu" | "memory" | "storage";

/** Usage of a team relative to its limits. */
export interface Utilisation {
  /** Whole percent, at most 100; undefined where there is no limit. */
  readonly percent: Readonly<Record<QuotaDimension, number | undefined>>;
  readonly status: "OK" | "Warning" | "Exceeded";
  /** The status in a sentence. */
  readonly message: string;
}

/** Warning threshold. */
const warningPercent = 80n;

/** Compares the usage of a team with its limits. A limit that is reached but not exceeded is a warning. */
export function utilisation(usage: Usage, limits: Limits): Utilisation {
  const compared = {
    clusters: compare(BigInt(usage.clusters), wide(limits.clusters)),
    nodes: compare(BigInt(usage.nodes), wide(limits.nodes)),
    cpu: compare(usage.cpuMilli, limits.cpuMilli),
    memory: compare(usage.memoryBytes, limits.memoryBytes),
    storage: compare(usage.storageBytes, limits.storageBytes),
  };
  const all = Object.entries(compared) as [QuotaDimension, Comparison | undefined][];
  const named = (isMeant: (comparison: Comparison) => boolean): string =>
    all.flatMap(([dimension, each]) => (each !== undefined && isMeant(each) ? [dimension] : [])).join(", ");
  const exceeded = named(({ isExceeded }) => isExceeded);
  const near = named(({ isNear }) => isNear);
  const percent = Object.fromEntries(all.map(([dimension, each]) => [dimension, each?.percent]));
  return { percent: percent as Utilisation["percent"], ...verdict(exceeded, near) };
}

interface Comparison {
  readonly percent: number;
  readonly isNear: boolean;
  readonly isExceeded: boolean;
}

function compare(used: bigint, limit: bigint | undefined): Comparison | undefined {
  if (limit === undefined) return undefined;
  const isExceeded = used > limit;
  if (limit === 0n) return { percent: isExceeded ? 100 : 0, isNear: false, isExceeded };
  const percent = (used * 100n) / limit;
  return {
    percent: Number(percent > 100n ? 100n : percent),
    isNear: used * 100n >= limit * warningPercent,
    isExceeded,
  };
}

function verdict(exceeded: string, near: string): Pick<Utilisation, "status" | "message"> {
  if (exceeded !== "") return { status: "Exceeded", message: `limits exceeded: ${exceeded}` };
  if (near !== "") return { status: "Warning", message: `${warningPercent}% or more in use: ${near}` };
  return { status: "OK", message: "within all limits" };
}

function wide(limit: number | undefined): bigint | undefined {
  return limit === undefined ? undefined : BigInt(limit);
}
