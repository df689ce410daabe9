import { type ObjectView, type OutputFormat, renderObjects, type Terminal, WatchOutput } from "@butler/cli-kit";
import type { KubeClient } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { type Clock, sleep } from "@butler/std";
import { type WatchTarget, watchObjects } from "./watch-objects.ts";

/** The options of commands that show a list. */
export interface RowsOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
  readonly watch?: boolean;
}

/** A list from any source. */
export interface Rows<T> {
  readonly view: ObjectView<T>;
  readonly read: () => Promise<readonly T[]>;
  /** Identifies a row. */
  readonly idOf: (row: T) => string;
  /** Yields whenever something may have changed, until the signal aborts. */
  readonly changes: (signal: AbortSignal) => AsyncIterable<unknown>;
  /** The message for an empty list, as a sentence. */
  readonly nothing: string;
}

/** Prints a list, and with `--watch` each row again when it changes. */
export async function showRows<T>(terminal: Terminal, options: RowsOptions, rows: Rows<T>): Promise<void> {
  const render = { format: options.output, hasHeader: options.headers, paint: terminal.paint };
  const first = await rows.read();
  if (!options.watch) {
    const text = renderObjects(rows.view, first, render);
    if (text === "") terminal.say(rows.nothing);
    else terminal.print(text);
    return;
  }
  const { signal } = terminal;
  const output = new WatchOutput(rows.view, render);
  for (const line of output.start(first)) terminal.print(line);
  let shown = first;
  for await (const _change of rows.changes(signal)) {
    signal.throwIfAborted();
    const now = await rows.read();
    const { changed, gone } = differenceOf(shown, now, rows.idOf);
    for (const row of changed) for (const line of output.next(row)) terminal.print(line);
    for (const row of gone) terminal.say(`${rows.idOf(row)} was removed.`);
    shown = now;
  }
  signal.throwIfAborted();
}

/** Rows that are new or changed, and rows that were removed. */
export function differenceOf<T>(
  before: readonly T[],
  after: readonly T[],
  idOf: (row: T) => string,
): { readonly changed: readonly T[]; readonly gone: readonly T[] } {
  const earlier = new Map(before.map((row) => [idOf(row), JSON.stringify(row)]));
  const left = new Set(after.map(idOf));
  return {
    changed: after.filter((row) => earlier.get(idOf(row)) !== JSON.stringify(row)),
    gone: before.filter((row) => !left.has(idOf(row))),
  };
}

/** Yields when an object of any of these kinds changes; concurrent changes are combined. */
export async function* changesOf(
  client: KubeClient,
  targets: readonly WatchTarget<Kind>[],
  signal: AbortSignal,
): AsyncGenerator<undefined> {
  const watches = await Promise.all(targets.map((target) => watchObjects(client, target, signal)));
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // Something may have changed between the reading and the watching.
  let isDue = true;
  let wake: () => void = () => undefined;
  const follow = async (changes: AsyncIterable<unknown>): Promise<void> => {
    for await (const _change of changes) {
      isDue = true;
      wake();
    }
  };
  for (const { changes } of watches) void follow(changes);
  while (!signal.aborted) {
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    if (!isDue) await Promise.race([woken, ended]);
    if (signal.aborted) return;
    isDue = false;
    yield undefined;
  }
}

/** Yields at intervals, for data that cannot be watched. */
export async function* everySoOften(clock: Clock, intervalMs: number, signal: AbortSignal): AsyncGenerator<undefined> {
  while (!signal.aborted) {
    await sleep(clock, intervalMs, signal);
    yield undefined;
  }
}
