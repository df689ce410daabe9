import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { Unavailable } from "@butler/std";
import { LineReader } from "./line-reader.ts";
import { limitedCommand, type MemoryLimit, mostResidentMiB } from "./memory-limit.ts";
import { residentMiB } from "./resident-memory.ts";

/** Options of a helm run. */
export interface HelmProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
  /** Unlimited if omitted. */
  readonly memory?: MemoryLimit | undefined;
  /** After this time helm is stopped, whatever it waits for. */
  readonly limitMs: number;
  /** How long helm has to record its result after SIGTERM. */
  readonly graceMs: number;
  /** Whether to keep standard output; otherwise it is discarded, as it may contain values. */
  readonly isOutputKept: boolean;
  readonly onStart: (pid: number) => void;
  /** Called with each line of standard error. */
  readonly onLine: (line: string) => void;
}

/** How it ended: on its own, or because it was stopped. */
export interface HelmExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBecause: "cancelled" | "too late" | "too large" | undefined;
  readonly output: string;
  /** Whether there was more output than is kept. */
  readonly isOutputCut: boolean;
}

/** A release Secret holds 1 MiB of this, compressed. */
const mostOutput = 32 * 1024 * 1024;
const drainMs = 2_000;
/** How often the memory of helm is checked. */
const watchMs = 100;
const lineLimits = { longestLine: 8_192, mostLines: 10_000 };

/** Runs helm to its end. To stop it, sends SIGTERM and leaves time to record that it did not finish. */
export async function runHelmProcess(run: HelmProcess): Promise<HelmExit> {
  const { environment, folder } = run;
  const { program, args } = limitedCommand(run, run.memory);
  const child = spawn(program, args, {
    env: environment,
    cwd: folder,
    stdio: ["ignore", run.isOutputKept ? "pipe" : "ignore", "pipe"],
  });
  // A signal after the exit is not an error.
  child.on("error", () => undefined);
  const ending = new Ending(child, run);
  const output = keepOutput(child);
  const reader = new LineReader(lineLimits, run.onLine);
  child.stderr?.on("data", (chunk: Buffer) => reader.write(chunk));
  try {
    const pid = await started(child, program);
    run.onStart(pid);
    const [code, signal] = await closed(child);
    reader.end();
    if (code === notFound && program !== run.program) throw cannotRun(run.program, undefined);
    return { code, signal, endedBecause: ending.reason, ...output() };
  } finally {
    ending.dispose();
  }
}

/** Waits until the program has exited and its output is read. Other processes that hold its pipes are not waited for. */
async function closed(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
  const patience = setTimeout(() => pipes.forEach((pipe) => pipe.destroy()), drainMs);
  await Promise.allSettled(pipes.map((pipe) => finished(pipe)));
  clearTimeout(patience);
  return [child.exitCode, child.signalCode];
}

async function started(child: ChildProcess, program: string): Promise<number> {
  try {
    await once(child, "spawn");
  } catch (error) {
    throw cannotRun(program, error);
  }
  return child.pid ?? 0;
}

/** The exit code of a program that was to become another one, which does not exist. */
const notFound = 127;

function cannotRun(program: string, cause: unknown): Unavailable {
  return new Unavailable(`cannot run ${program}`, { cause, hint: "Install Helm 4, or configure its path." });
}

function keepOutput(child: ChildProcess): () => Pick<HelmExit, "output" | "isOutputCut"> {
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    if (length < mostOutput) chunks.push(chunk);
    length += chunk.length;
  });
  return () => ({ output: Buffer.concat(chunks).toString("utf8"), isOutputCut: length > mostOutput });
}

/**
 * Stops a process on cancellation or timeout, and kills it when it ignores SIGTERM. One that uses too much memory is
 * killed at once.
 */
class Ending {
  readonly #child: ChildProcess;
  readonly #graceMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #limit: NodeJS.Timeout;
  readonly #watch: NodeJS.Timeout | undefined;
  readonly #onAbort = (): void => this.#tell("cancelled");
  #grace: NodeJS.Timeout | undefined;
  reason: HelmExit["endedBecause"];

  constructor(child: ChildProcess, { signal, limitMs, graceMs, memory }: HelmProcess) {
    this.#child = child;
    this.#graceMs = graceMs;
    this.#signal = signal;
    this.#limit = setTimeout(() => this.#tell("too late"), limitMs);
    if (memory !== undefined) this.#watch = setInterval(() => this.#weigh(mostResidentMiB(memory)), watchMs);
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  #tell(reason: "cancelled" | "too late"): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#child.kill("SIGTERM");
    this.#grace = setTimeout(() => this.#child.kill("SIGKILL"), this.#graceMs);
  }

  #weigh(mostMiB: number): void {
    if (residentMiB(this.#child.pid) <= mostMiB) return;
    this.reason ??= "too large";
    this.#child.kill("SIGKILL");
  }

  dispose(): void {
    clearInterval(this.#watch);
    clearTimeout(this.#limit);
    clearTimeout(this.#grace);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
