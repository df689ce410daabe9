import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeError } from "@butler/std";
import type { OutgoingRules } from "@butler/std/outgoing";
import { ChartStore, type ChartStoreOptions } from "../fetch/chart-store.ts";
import { ChartUnavailable } from "../fetch/chart-unavailable.ts";

/** Cleanup steps of a test, run in reverse order at its end. */
export class Cleanups {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step();
  }
}

/** Test servers listen on this machine, which production refuses. */
export const loopbackAllowed: OutgoingRules = { allowed: ["127.0.0.0/8", "::1"] };

/** A store in its own folder. */
export async function createStore(cleanups: Cleanups, options: Partial<ChartStoreOptions> = {}): Promise<ChartStore> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "butler-charts-")));
  const network = { rules: loopbackAllowed, ...options.network };
  const store = new ChartStore({ ...options, network, folder });
  cleanups.add(() => rm(folder, { recursive: true, force: true }));
  cleanups.add(() => store.close());
  return store;
}

/** The reason and message of a failure; success fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<{ reason: string; isPassing: boolean; text: string }> {
  const error: unknown = await work.then(
    () => new Error("it succeeded"),
    (caught: unknown) => caught,
  );
  if (!(error instanceof ChartUnavailable)) throw error;
  return { reason: error.reason, isPassing: error.isPassing, text: `${describeError(error)} ${error.hint ?? ""}` };
}
