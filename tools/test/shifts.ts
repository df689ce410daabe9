import { engineLanes, type Lane } from "./lanes.ts";

/** One vitest run. */
export interface Shift {
  readonly name: string;
  readonly projects: readonly string[];
  /** Whether it needs the machine exclusively, because its tests measure latencies. */
  readonly isAlone?: boolean;
  readonly keepsEngine?: boolean;
}

/** Everything that needs no API server. */
export const fastShift: Shift = { name: "light", projects: ["light", "pages", "process"] };
const clusterShift: Shift = { name: "cluster", projects: ["cluster"] };

/**
 * All tests, in start order. Engines idle half of their time, so they run in parallel with each other and with tests
 * that need only API servers. The longest ones start first.
 */
export const allShifts: readonly Shift[] = [
  fastShift,
  ...engineLanes.slice(0, 1).map(shiftOf),
  clusterShift,
  ...engineLanes.slice(1).map(shiftOf),
];

function shiftOf({ files: _files, ...lane }: Lane): Shift {
  return { ...lane, projects: [lane.name] };
}

export interface WorkOptions<T> {
  readonly atOnce: number;
  readonly run: (shift: Shift) => Promise<T>;
  /** Starts no further shifts when aborted. */
  readonly signal: AbortSignal;
}

/** Runs shifts in order, with limited concurrency; exclusive shifts run when nothing else runs. */
export async function workThrough<T>(shifts: readonly Shift[], { atOnce, run, signal }: WorkOptions<T>): Promise<T[]> {
  const results: T[] = [];
  const together = shifts.filter(({ isAlone }) => isAlone !== true);
  const worker = async (): Promise<void> => {
    for (let shift = together.shift(); shift !== undefined && !signal.aborted; shift = together.shift()) {
      results.push(await run(shift));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  for (const shift of shifts.filter(({ isAlone }) => isAlone === true)) {
    if (!signal.aborted) results.push(await run(shift));
  }
  return results;
}
