import type { Clock, Timer } from "@butler/std";
import { isRecord } from "@butler/std";
import type { RawData, WebSocket } from "ws";

/** Channels of the exec protocol. */
const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 } as const;

/** Bytes that may be buffered on one side before reading from the other is paused. */
const mostWaiting = 512 * 1024;
const pingEveryMs = 25_000;

/** Why a terminal ended. */
export type BridgeEnd = "left" | "exited" | "idle" | "silent" | "broken";

/** A message of the browser. */
export interface Message {
  readonly data: RawData;
  readonly isBinary: boolean;
}

/** Maximum input before the shell is connected. */
const mostEarly = 256;

/** Buffers input until the pod is connected. */
export function keepEarly(browser: WebSocket): { take: () => readonly Message[] } {
  const kept: Message[] = [];
  const keep = (data: RawData, isBinary: boolean): void => {
    if (kept.length < mostEarly) kept.push({ data, isBinary });
  };
  browser.on("message", keep);
  return {
    take: () => {
      browser.off("message", keep);
      return kept;
    },
  };
}

/** The two ends of a bridge, and its idle timeout. */
export interface BridgeOptions {
  readonly browser: WebSocket;
  /** May still be opening. */
  readonly pod: WebSocket;
  /** Input received so far. */
  readonly early?: readonly Message[];
  readonly clock: Clock;
  readonly idleMs: number;
}

/**
 * Copies bytes between a browser and a pod, unchanged. A slow reader pauses the other side, so that buffers stay
 * bounded. Settles when either side is closed, and closes both.
 */
export function bridge({ browser, pod, early = [], clock, idleMs }: BridgeOptions): Promise<BridgeEnd> {
  const { promise, resolve } = Promise.withResolvers<BridgeEnd>();
  const timers: { idle?: Timer; ping?: Timer } = {};
  let isAnswered = true;
  const end = (why: BridgeEnd): void => {
    timers.idle?.cancel();
    timers.ping?.cancel();
    pod.terminate();
    if (browser.readyState === browser.OPEN) browser.close(why === "broken" ? 1011 : 1000, why);
    else browser.terminate();
    resolve(why);
  };
  const stayAwake = (): void => {
    timers.idle?.cancel();
    timers.idle = clock.after(idleMs, () => end("idle"));
  };
  const ping = (): void => {
    if (!isAnswered) return end("silent");
    isAnswered = false;
    browser.ping();
    timers.ping = clock.after(pingEveryMs, ping);
  };
  const waiting = [...early];
  const type = ({ data, isBinary }: Message): void => {
    const message = isBinary ? framed(channel.stdin, bytesOf(data)) : resizeOf(bytesOf(data).toString());
    if (message !== undefined) passOn(message, { from: browser, to: pod });
  };
  browser.on("message", (data, isBinary) => {
    stayAwake();
    if (pod.readyState !== pod.CONNECTING) type({ data, isBinary });
    else if (waiting.length < mostEarly) waiting.push({ data, isBinary });
  });
  pod.on("open", () => waiting.splice(0).forEach(type));
  pod.on("message", (data) => {
    const bytes = bytesOf(data);
    const [number] = bytes;
    if (number === channel.stdout || number === channel.stderr) passOn(bytes.subarray(1), { from: pod, to: browser });
    if (number === channel.status) end("exited");
  });
  browser.on("pong", () => (isAnswered = true));
  browser.on("close", () => end("left"));
  browser.on("error", () => end("left"));
  pod.on("close", () => end("exited"));
  pod.on("error", () => end("broken"));
  stayAwake();
  ping();
  if (pod.readyState === pod.OPEN) waiting.splice(0).forEach(type);
  if (pod.readyState >= pod.CLOSING) end("exited");
  if (browser.readyState >= browser.CLOSING) end("left");
  return promise;
}

function passOn(bytes: Buffer, { from, to }: { readonly from: WebSocket; readonly to: WebSocket }): void {
  if (to.readyState !== to.OPEN || bytes.length === 0) return;
  to.send(bytes, { binary: true }, () => {
    if (from.isPaused && to.bufferedAmount < mostWaiting / 2) from.resume();
  });
  if (to.bufferedAmount > mostWaiting) from.pause();
}

function framed(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(number), bytes]);
}

/** Text messages other than a resize are dropped: text is never input for the shell. */
function resizeOf(text: string): Buffer | undefined {
  const message = parsed(text);
  const { type, columns, rows } = isRecord(message) ? message : {};
  if (type !== "resize" || !isSize(columns) || !isSize(rows)) return undefined;
  return framed(channel.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows })));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 1_000;
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
