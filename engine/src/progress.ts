import { type Clock, systemClock } from "@butler/std";
import type { Tool } from "./lock-file.ts";
import type { SourceName } from "./sources/source.ts";

/** A progress report of installing binaries. */
export interface ProgressReport {
  readonly tool: string;
  readonly version: string;
  readonly source: SourceName;
  /** Its position, counted from 1. */
  readonly position: number;
  readonly count: number;
  /** The completed share of the total, 0 to 1. */
  readonly fraction: number;
  readonly elapsedMs: number;
  /** The estimated remaining time of all tools. */
  readonly remainingMs: number;
}

/** Receives the progress of installing binaries. Nothing is called when the cache has everything. */
export interface Progress {
  /** Another process does the work; `what` describes it, as the object of "waiting for". */
  waiting(what: string): void;
  /** An additional message, such as the installation of a system package. */
  noted(text: string): void;
  started(report: ProgressReport): void;
  /** Called about once a second, and more often while a download runs. */
  advanced(report: ProgressReport): void;
  finished(report: ProgressReport): void;
  /** A source could not provide a tool; another source may still follow. */
  failed(report: ProgressReport, error: unknown): void;
  /** All work has ended, successfully or not. */
  closed(): void;
}

/** Progress without output. */
export const silentProgress: Progress = {
  waiting: () => undefined,
  noted: () => undefined,
  started: () => undefined,
  advanced: () => undefined,
  finished: () => undefined,
  failed: () => undefined,
  closed: () => undefined,
};

/** The input of an estimate. */
export interface Pace {
  /** Weights and actual durations of finished steps. */
  readonly finishedExpectedMs: number;
  readonly finishedActualMs: number;
  readonly currentExpectedMs: number;
  readonly currentElapsedMs: number;
  /** The completed share of the current step, if known. */
  readonly currentFraction?: number | undefined;
  readonly pendingExpectedMs: number;
}

/**
 * Estimates the remaining time. The weights compare the steps; finished steps and the current one determine how fast
 * this machine is. A step that outlasts its weight is assumed to need a tenth more than its elapsed time.
 */
export function estimateRemainingMs(pace: Pace): number {
  const speed = pace.finishedExpectedMs > 0 ? pace.finishedActualMs / pace.finishedExpectedMs : 1;
  const fraction = pace.currentFraction ?? 0;
  const currentTotal =
    fraction >= 0.02
      ? pace.currentElapsedMs / fraction
      : Math.max(pace.currentExpectedMs * speed, pace.currentElapsedMs * 1.1);
  const expected = pace.finishedExpectedMs + pace.currentExpectedMs;
  const pendingSpeed = expected > 0 ? (pace.finishedActualMs + currentTotal) / expected : 1;
  return Math.max(0, currentTotal - pace.currentElapsedMs) + pace.pendingExpectedMs * pendingSpeed;
}

/** The weight of a tool in milliseconds: what a build, or a download at ten megabytes a second, takes. */
export function weightMs(tool: Tool, source: SourceName): number {
  return source === "go" ? tool.buildSeconds * 1_000 : tool.megabytes * 100;
}

/** Turns a source's events into reports with times. */
export class ProgressTracker {
  readonly #progress: Progress;
  readonly #clock: Clock;
  readonly #tools: readonly Tool[];
  readonly #source: SourceName;
  readonly #startMs: number;
  readonly #done = new Set<Tool>();
  #stepStartMs: number;
  #finishedExpectedMs = 0;
  #finishedActualMs = 0;
  /** The tools in progress; the last one is shown. */
  #current: readonly Tool[] = [];
  #currentFraction: number | undefined;
  #largestFraction = 0;

  constructor(run: { progress: Progress; tools: readonly Tool[]; source: SourceName; clock?: Clock }) {
    this.#progress = run.progress;
    this.#clock = run.clock ?? systemClock;
    this.#tools = run.tools;
    this.#source = run.source;
    this.#startMs = this.#clock.monotonicMs();
    this.#stepStartMs = this.#startMs;
  }

  working(tool: Tool, fraction?: number): void {
    this.#currentFraction = fraction;
    if (this.#current.includes(tool)) {
      this.tick();
      return;
    }
    this.#current = [...this.#current, tool];
    this.#progress.started(this.#report(tool));
  }

  /** Reports the progress of time. */
  tick(): void {
    const shown = this.#current.at(-1);
    if (shown !== undefined) this.#progress.advanced(this.#report(shown));
  }

  finished(tool: Tool): void {
    this.#finishedExpectedMs += weightMs(tool, this.#source);
    this.#finishedActualMs += this.#clock.monotonicMs() - this.#stepStartMs;
    this.#leave(tool);
    this.#progress.finished(this.#report(tool));
  }

  /** A failure is not a measure of the machine's speed, so the estimate does not change. */
  failed(tool: Tool, error: unknown): void {
    this.#leave(tool);
    this.#progress.failed(this.#report(tool), error);
  }

  #leave(tool: Tool): void {
    this.#done.add(tool);
    this.#stepStartMs = this.#clock.monotonicMs();
    this.#current = this.#current.filter((each) => each !== tool);
    this.#currentFraction = undefined;
  }

  #report(tool: Tool): ProgressReport {
    const now = this.#clock.monotonicMs();
    const elapsedMs = now - this.#startMs;
    const weigh = (tools: readonly Tool[]): number =>
      tools.reduce((sum, each) => sum + weightMs(each, this.#source), 0);
    const current = this.#current.at(-1);
    const remainingMs = estimateRemainingMs({
      finishedExpectedMs: this.#finishedExpectedMs,
      finishedActualMs: this.#finishedActualMs,
      currentExpectedMs: weigh(current === undefined ? [] : [current]),
      currentElapsedMs: now - this.#stepStartMs,
      currentFraction: this.#currentFraction,
      pendingExpectedMs: weigh(this.#tools.filter((each) => each !== current && !this.#done.has(each))),
    });
    const fraction = elapsedMs + remainingMs > 0 ? elapsedMs / (elapsedMs + remainingMs) : 0;
    this.#largestFraction = Math.max(this.#largestFraction, fraction);
    return {
      tool: tool.name,
      version: tool.version,
      source: this.#source,
      position: this.#done.size + (this.#done.has(tool) ? 0 : 1 + this.#current.indexOf(tool)),
      count: this.#tools.length,
      fraction: this.#largestFraction,
      elapsedMs,
      remainingMs,
    };
  }
}
