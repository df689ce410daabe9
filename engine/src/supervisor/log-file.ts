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

/** The maximum size of a log, and its number of files. */
export interface LogLimit {
  readonly maxBytes: number;
  readonly files: number;
}

/** The size of a log, 0 when there is none. */
export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Rotates a log that is too large by copying and truncating it, because its writer keeps the file open. The writer must
 * append (O_APPEND), or it would continue at its old offset. If the copy fails, the limit is still enforced.
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

/** Also copies what is written in the meantime, so that almost nothing is lost between copying and truncating. */
function copyGrowing(file: string, target: string): void {
  copyFileSync(file, target);
  // Limited, because a writer may be faster than this.
  for (let round = 0, copied = logSize(target); round < 5 && copied < logSize(file); round += 1) {
    appendFileSync(target, readPart(file, copied, logSize(file)));
    copied = logSize(target);
  }
}

/** The log after a position, as far as it is among the last bytes; all of it when the log was rotated since. */
export function logSince(file: string, start: number): string {
  const size = logSize(file);
  const from = start > size ? 0 : start;
  return readPart(file, Math.max(from, size - 64 * 1024), size).toString("utf8");
}

/** Which part of a log to read. */
export interface LogReading {
  /** Number of last lines; 100 by default. */
  readonly lines?: number | undefined;
  /** Whether to follow the log until the signal aborts. */
  readonly follow?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

const followPollMs = 200;

/** The last lines of a log, including rotated files, and with `follow` all further ones as they are written. */
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
  /** An incomplete line. */
  unfinished: string;
  readonly decoder: StringDecoder;
}

async function* followLog(file: string, place: LogReading & LogPlace): AsyncGenerator<string, void> {
  const { decoder, signal, clock = systemClock } = place;
  let { position, unfinished } = place;
  for (;;) {
    const size = logSize(file);
    if (size < position) {
      // The log was rotated: its unread part is at the same offset of the copy.
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
