import type { AddonPhase } from "./situation.ts";

/** How often a release is inspected. */
export interface LookIntervals {
  /** While a job is running. */
  readonly busyMs: number;
  /** At rest: until which age of its phase, and how often. */
  readonly tiers: readonly { readonly untilMs: number; readonly everyMs: number }[];
  /** Minimum time between two inspections. */
  readonly leastMs: number;
  /** Minimum time between two drift checks. */
  readonly driftMs: number;
  /** How often an unreachable cluster is retried. */
  readonly unreachableMs: number;
}

const minuteMs = 60_000;

/** Inspection intervals in production: they grow with age, because watches report changes, too. */
export const usualIntervals: LookIntervals = {
  busyMs: 2_000,
  tiers: [
    { untilMs: 10 * minuteMs, everyMs: 30_000 },
    { untilMs: 60 * minuteMs, everyMs: minuteMs },
    { untilMs: 24 * 60 * minuteMs, everyMs: 5 * minuteMs },
    { untilMs: Number.POSITIVE_INFINITY, everyMs: 15 * minuteMs },
  ],
  leastMs: 500,
  driftMs: minuteMs,
  unreachableMs: 10_000,
};

/** Results of earlier inspections of a release. */
export interface LookMemory {
  readonly lookedAtMs: number | undefined;
  readonly comparedAtMs: number | undefined;
  /** Whether something may have changed since. */
  readonly isStale: boolean;
  /** Whether something has changed of which the decision must know. */
  readonly isOutdated: boolean;
}

/** Input for the inspection interval. */
export interface LookOccasion {
  readonly phase: AddonPhase | "Uninstalling" | undefined;
  /** When it entered this phase. */
  readonly phaseSinceMs: number | undefined;
  readonly isWorkedOn: boolean;
  /** Whether a job for it is queued, so that nothing changes because of Butler. */
  readonly isQueued: boolean;
  readonly nowMs: number;
}

/** Whether to inspect, whether to check drift as well, and when to requeue. */
export interface LookVerdict {
  readonly looks: boolean;
  readonly compares: boolean;
  /** Time until the next inspection is due. */
  readonly nextMs: number;
}

const busyPhases: ReadonlySet<string> = new Set(["Installing", "Upgrading", "RollingBack", "Deleting", "Uninstalling"]);

/** Decides whether to inspect a release now. */
export function decideLook(memory: LookMemory, occasion: LookOccasion, intervals: LookIntervals): LookVerdict {
  const { nowMs, isWorkedOn, isQueued, phase = "" } = occasion;
  const isBusy = !isQueued && (isWorkedOn || busyPhases.has(phase));
  const everyMs = isBusy ? intervals.busyMs : restingMs(occasion, intervals);
  const dueMs = memory.isStale ? Math.min(everyMs, intervals.leastMs) : everyMs;
  const sinceLookMs = sinceMs(memory.lookedAtMs, nowMs);
  const looks = sinceLookMs >= dueMs || memory.isOutdated;
  const isLongAgo = sinceMs(memory.comparedAtMs, nowMs) >= Math.max(intervals.driftMs, everyMs);
  return { looks, compares: looks && !isBusy && isLongAgo, nextMs: looks ? everyMs : dueMs - sinceLookMs };
}

function restingMs({ nowMs, phaseSinceMs = nowMs }: LookOccasion, { tiers, busyMs }: LookIntervals): number {
  return tiers.find(({ untilMs }) => nowMs - phaseSinceMs < untilMs)?.everyMs ?? busyMs;
}

function sinceMs(timeMs: number | undefined, nowMs: number): number {
  return timeMs === undefined ? Number.POSITIVE_INFINITY : nowMs - timeMs;
}
