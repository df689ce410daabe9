import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Clock, systemClock, type Timer, Unavailable } from "@butler/std";
import { residentMiB } from "../run/resident-memory.ts";
import type { ReleaseContent, ReleasePart } from "./decode-release.ts";
import { type DecodeRefusal, DecodeRefused } from "./decode-refused.ts";
import type { DecodeAnswer, DecodeTask } from "./decoder-process.ts";
import { UnpackBudget } from "./unpack-budget.ts";

/** A revision to read. */
export interface DecodeRequest {
  /** Whose it is: groups take turns, and each has its own budget. The cluster. */
  readonly group: string;
  /** `data.release` of its Secret. */
  readonly data: string;
  readonly part: ReleasePart;
  readonly signal: AbortSignal;
}

/** Limits of the process that reads releases. */
export interface DecoderLimits {
  /** Heap of the process: V8 ends it above this. */
  readonly heapMiB: number;
  /** All its memory: above this it is killed. */
  readonly residentMiB: number;
  /** Time for one revision. */
  readonly decodeMs: number;
  /** After this long without work the process ends. */
  readonly idleMs: number;
  /** How much a group may have unpacked in a minute. */
  readonly groupBytesPerMinute: number;
}

const usualLimits: DecoderLimits = {
  heapMiB: 96,
  residentMiB: 256,
  decodeMs: 15_000,
  idleMs: 60_000,
  groupBytesPerMinute: 256 * 1024 * 1024,
};

/** How often the memory of the process is checked while it works. */
const watchMs = 50;

interface Waiting extends PromiseWithResolvers<ReleaseContent> {
  readonly request: DecodeRequest;
}

/** Options of a decoder. */
export interface ReleaseDecoderOptions {
  readonly limits?: Partial<DecoderLimits> | undefined;
  readonly clock?: Clock | undefined;
  /** Called with the reason when a revision could not be read. */
  readonly onRefusal?: ((reason: DecodeRefusal) => void) | undefined;
}

/** Reads revisions of releases in a process of its own, with limits on memory and time, fairly among tenants. */
export class ReleaseDecoder {
  readonly #limits: DecoderLimits;
  readonly #clock: Clock;
  readonly #onRefusal: (reason: DecodeRefusal) => void;
  readonly #budget: UnpackBudget;
  readonly #waiting = new Map<string, Waiting[]>();
  #child: ChildProcess | undefined;
  #idle: Timer | undefined;
  #isBusy = false;
  #isClosed = false;
  #nextId = 0;

  constructor({ limits, clock = systemClock, onRefusal = () => undefined }: ReleaseDecoderOptions = {}) {
    this.#limits = { ...usualLimits, ...limits };
    this.#clock = clock;
    this.#onRefusal = onRefusal;
    this.#budget = new UnpackBudget(this.#limits.groupBytesPerMinute, clock);
  }

  /** Reads part of a revision. */
  decode(request: DecodeRequest): Promise<ReleaseContent> {
    const waiting: Waiting = { ...Promise.withResolvers<ReleaseContent>(), request };
    const ofGroup = this.#waiting.get(request.group) ?? [];
    // A group moves to the end when it has had its turn.
    this.#waiting.set(request.group, [...ofGroup, waiting]);
    void this.#work();
    return waiting.promise;
  }

  /** Ends the process; what waits is rejected. */
  close(): void {
    this.#isClosed = true;
    this.#idle?.cancel();
    for (const { reject } of [...this.#waiting.values()].flat()) reject(closed());
    this.#waiting.clear();
    this.#child?.kill("SIGKILL");
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#idle?.cancel();
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#handle(next);
    } finally {
      this.#isBusy = false;
    }
    if (this.#child === undefined) return;
    this.#idle = this.#clock.after(this.#limits.idleMs, () => this.#child?.disconnect());
  }

  #next(): Waiting | undefined {
    const [group, [first, ...rest] = []] = this.#waiting.entries().next().value ?? [];
    if (group === undefined || first === undefined) return undefined;
    this.#waiting.delete(group);
    if (rest.length > 0) this.#waiting.set(group, rest);
    return first;
  }

  async #handle({ request, resolve, reject }: Waiting): Promise<void> {
    try {
      request.signal.throwIfAborted();
      if (this.#isClosed) throw closed();
      this.#budget.require(request.group);
      resolve(await this.#ask(request));
    } catch (error) {
      if (error instanceof DecodeRefused) this.#onRefusal(error.refusal);
      reject(error instanceof Error ? error : new Unavailable("the release could not be read"));
    }
  }

  async #ask({ group, data, part, signal }: DecodeRequest): Promise<ReleaseContent> {
    const child = await this.#started();
    const { promise, resolve, reject } = Promise.withResolvers<ReleaseContent>();
    const id = this.#nextId++;
    const end = (error: Error): void => {
      reject(error);
      child.kill("SIGKILL");
    };
    const onAnswer = (answer: DecodeAnswer): void => {
      if (answer.id !== id) return;
      this.#budget.spend(group, answer.unpackedBytes);
      if ("content" in answer) resolve(answer.content);
      else reject(new DecodeRefused("invalid", answer.error));
    };
    const onExit = (): void => reject(new DecodeRefused("memory", tooMuchMemory));
    const onAbort = (): void => end(signal.reason as Error);
    const late = setTimeout(() => end(new DecodeRefused("timeout", tooSlow(this.#limits))), this.#limits.decodeMs);
    const watch = setInterval(() => {
      if (residentMiB(child.pid) > this.#limits.residentMiB) end(new DecodeRefused("memory", tooMuchMemory));
    }, watchMs);
    child.on("message", onAnswer).once("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      child.send({ id, data, part } satisfies DecodeTask, (error) => error !== null && onExit());
      return await promise;
    } finally {
      clearTimeout(late);
      clearInterval(watch);
      child.off("message", onAnswer).off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #started(): Promise<ChildProcess> {
    const present = this.#child;
    if (present?.connected === true && present.exitCode === null && present.signalCode === null) return present;
    const { decoderUrl, decoderMark } = await import("./decoder-process.ts");
    const { heapMiB } = this.#limits;
    const flags = [`--max-old-space-size=${heapMiB}`, "--max-semi-space-size=4"];
    const child = spawn(process.execPath, [...flags, fileURLToPath(decoderUrl), decoderMark], {
      env: {},
      // Its output would be about the content.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    child.on("error", () => undefined);
    child.once("exit", () => this.#child === child && (this.#child = undefined));
    // It does not keep this process alive.
    child.unref();
    child.channel?.unref();
    this.#child = child;
    return child;
  }
}

const tooMuchMemory = "cannot read the release: it needs too much memory";

function tooSlow({ decodeMs }: DecoderLimits): string {
  return `cannot read the release: it took longer than ${decodeMs / 1_000} s`;
}

function closed(): Unavailable {
  return new Unavailable("the process is shutting down");
}
