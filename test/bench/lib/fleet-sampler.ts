import { setTimeout as wait } from "node:timers/promises";
import { type FleetManager, type ManagerSample, passesOf, writesOf } from "./fleet-manager.ts";

const intervalMs = 1_000;

/** Activity of the manager, second by second. */
export interface Activity {
  readonly seconds: number;
  readonly passes: number;
  /** Passes without changes, triggered by unrelated changes. */
  readonly idlePasses: number;
  readonly passesPerSecond: { readonly mean: number; readonly peak: number };
  readonly writes: number;
  readonly writesPerSecond: { readonly mean: number; readonly peak: number };
  readonly retries: number;
  readonly cpuSeconds: number;
  readonly mostResidentMiB: number;
  readonly deepestQueue: number;
  readonly slowestEventLoopMs: number;
}

/** Samples the manager once a second during an operation. */
export async function whileSampling<T>(
  manager: FleetManager,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly samples: readonly ManagerSample[] }> {
  const samples = [await manager.sample()];
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      await wait(intervalMs);
      // A manager that does not respond is sampled again later; an exit is detected elsewhere.
      const sample = await manager.sample().catch(() => undefined);
      if (sample !== undefined) samples.push(sample);
    }
  })();
  try {
    const result = await work();
    over.abort();
    await sampling;
    samples.push(await manager.sample());
    return { result, samples };
  } finally {
    over.abort();
  }
}

/** Sums of samples. */
export function activityOf(samples: readonly ManagerSample[]): Activity {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError("there are no samples");
  const seconds = (last.atMs - first.atMs) / 1_000;
  const [passes, writes] = [passesOf(last) - passesOf(first), writesOf(last) - writesOf(first)];
  return {
    seconds,
    passes,
    idlePasses: last.idlePasses - first.idlePasses,
    passesPerSecond: { mean: passes / seconds, peak: peakOf(samples, passesOf) },
    writes,
    writesPerSecond: { mean: writes / seconds, peak: peakOf(samples, writesOf) },
    retries: last.retries - first.retries,
    cpuSeconds: last.cpuSeconds - first.cpuSeconds,
    mostResidentMiB: Math.max(...samples.map(({ residentMiB }) => residentMiB)),
    deepestQueue: Math.max(...samples.map(({ queueDepth }) => queueDepth)),
    slowestEventLoopMs: Math.max(...samples.map(({ eventLoopDelayMs }) => eventLoopDelayMs)),
  };
}

/** The highest rate between two samples that are about a second apart. */
function peakOf(samples: readonly ManagerSample[], count: (sample: ManagerSample) => number): number {
  const rates = samples.slice(1).flatMap((sample, at) => {
    const before = samples[at];
    const elapsedMs = sample.atMs - (before?.atMs ?? 0);
    if (before === undefined || elapsedMs < intervalMs / 2) return [];
    return [((count(sample) - count(before)) * 1_000) / elapsedMs];
  });
  return Math.max(0, ...rates);
}
