import { type Clock, sleep, systemClock } from "@butler/std";
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

/** How large a log may become, and of how many files it may consist. */
export interface LogLimit {
  readonly maxBytes: number;
  readonly files: number;
}

/** The size of a log, 0 when there is none. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Moves a log that is too large aside by copying and emptying it, because its writer keeps the file open. The writer
 * must append (O_APPEND), or it would go on at its old place. Whatever goes wrong with the copy, the limit is kept.
 */
export function rotateLog(file: string, { maxBytes, files }: LogLimit): boolean {
  if (logSize(file) < maxBytes) return false;
  for (let at = files - 1; at > 1; at -= 1) {
    if (existsSync(older(file, at - 1))) renameSync(older(file, at - 1), older(file, at));
  }
  try {
    if (files > 1) copyGrowing(file, older(file, 1));
  } catch (error) {
    rmSync(older(file, 1), { force: true });
    throw error;
  } finally {
    truncateSync(file, 0);
  }
  return true;
}

/** Copies also what is written meanwhile, so that almost nothing is lost between the copy and the emptying. */
function copyGrowing(file: string, target: string): void {
  copyFileSync(file, target);
  // Limited, because a writer may be faster than this.
  for (let round = 0, copied = logSize(target); round < 5 && copied < logSize(file); round += 1) {
    appendFileSync(target, readPart(file, copied, logSize(file)));
    copied = logSize(target);
  }
}

/** What was logged from a position on, as far as it is among the last bytes; all of it when the log was rotated since. */
export function logSince(file: string, start: number): string {
  const size = logSize(file);
  const from = start > size ? 0 : start;
  return readPart(file, Math.max(from, size - 64 * 1024), size).toString("utf8");
}

/** What to read of a log. */
export interface LogReading {
  /** How many of the last lines; 100 when left out. */
  readonly lines?: number | undefined;
  /** Whether to wait for more until the signal. */
  readonly follow?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

const followPollMs = 200;

/** The last lines of a log, rotated files included, and with `follow` all further ones as they come. */
export async function* readLog(file: string, reading: LogReading = {}): AsyncGenerator<string, void> {
  const { lines = 100, follow = false } = reading;
  const position = logSize(file);
  const decoder = new StringDecoder("utf8");
  let text = decoder.write(readPart(file, 0, position));
  for (let at = 1; countLines(text) <= lines && existsSync(older(file, at)); at += 1) {
    text = (await readFile(older(file, at), "utf8").catch(() => "")) + text;
  }
  const past = text.split("\n");
  const unfinished = follow || past.at(-1) === "" ? (past.pop() ?? "") : "";
  yield* past.slice(Math.max(0, past.length - lines));
  if (follow) yield* followLog(file, { ...reading, position, unfinished, decoder });
}

interface LogPlace {
  position: number;
  /** A line whose end is still to come. */
  unfinished: string;
  readonly decoder: StringDecoder;
}

async function* followLog(file: string, place: LogReading & LogPlace): AsyncGenerator<string, void> {
  const { decoder, signal, clock = systemClock } = place;
  let { position, unfinished } = place;
  for (;;) {
    const size = logSize(file);
    if (size < position) {
      // It was rotated: what had not been read of it is at the same place of the copy.
      unfinished += decoder.write(readPart(older(file, 1), position, logSize(older(file, 1))));
      position = 0;
    }
    const fresh = (unfinished + decoder.write(readPart(file, position, size))).split("\n");
    position = size;
    unfinished = fresh.pop() ?? "";
    yield* fresh;
    if (signal?.aborted === true) break;
    await sleep(clock, followPollMs, signal).catch(() => undefined);
  }
  if (unfinished !== "") yield unfinished;
}

function older(file: string, at: number): string {
  return `${file}.${at}`;
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function readPart(file: string, from: number, to: number): Buffer {
  if (to <= from) return Buffer.alloc(0);
  const handle = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(to - from);
    return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, from));
  } finally {
    closeSync(handle);
  }
}
