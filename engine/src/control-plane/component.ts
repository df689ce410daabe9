import { type Clock, Conflict, Timeout, Unavailable, sleep } from "@butler/std";
import { appendFile, open, readFile, stat, writeFile } from "node:fs/promises";
import { identifyProcess } from "../process-identity.ts";
import { lastLines } from "../text-tail.ts";
import type { ComponentName } from "./component-arguments.ts";
import { failureHint } from "./failure-hint.ts";
import type { GuardedProcess, ProcessExit, ProcessGuard } from "./process-guard.ts";

/** Another process took the port between choosing and using it. */
export class PortTaken extends Conflict {
  override readonly code: string = "PORT_TAKEN";
}

/** The definition of a component, without its arguments. */
export interface ComponentParts {
  readonly name: ComponentName;
  readonly command: string;
  readonly guard: ProcessGuard;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly logFile: string;
  /** Records the running process for the cleanup after a crash. */
  readonly processFile: string;
  readonly clock: Clock;
}

/** How to start a component, and when it is ready. */
export interface ComponentStart {
  readonly arguments: readonly string[];
  readonly isReady: () => Promise<boolean>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const pollMs = 50;
const shownLines = 15;
const graceMs = 5_000;

/** One program of a control plane: started until ready, always stopped, with a log that is kept across restarts. */
export class Component {
  readonly #parts: ComponentParts;
  #process: GuardedProcess | undefined;

  constructor(parts: ComponentParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  logs(): Promise<string> {
    return readFile(this.#parts.logFile, "utf8");
  }

  /** Starts the program and waits until it is ready. After a failure no process is left running. */
  async start(start: ComponentStart): Promise<void> {
    const { guard, command, environment, directory, logFile } = this.#parts;
    await appendFile(logFile, "", { mode: 0o600 });
    const logStart = (await stat(logFile)).size;
    const process = await guard.run({ command, arguments: start.arguments, environment, directory, logFile });
    this.#process = process;
    await writeFile(this.#parts.processFile, JSON.stringify(identifyProcess(process.pid)));
    const ended = this.#forgetAtEnd(process);
    try {
      await this.#waitUntilReady(start, ended, logStart);
    } catch (error) {
      await this.stop("SIGKILL");
      throw error;
    }
  }

  /** Stops the program with the signal, and kills it after five seconds. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    process.signal(signal);
    const force = this.#parts.clock.after(graceMs, () => process.signal("SIGKILL"));
    await process.exited;
    force.cancel();
  }

  async #forgetAtEnd(process: GuardedProcess): Promise<ProcessExit> {
    const exit = await process.exited;
    this.#process = undefined;
    return exit;
  }

  async #waitUntilReady(start: ComponentStart, ended: Promise<ProcessExit>, logStart: number): Promise<void> {
    const { clock, name } = this.#parts;
    const deadline = clock.monotonicMs() + start.timeoutMs;
    for (;;) {
      start.signal.throwIfAborted();
      // Another process on the port may keep the probe waiting, so an exit must be detected independently.
      const outcome = await Promise.race([ended, start.isReady()]);
      if (outcome === true) return;
      if (outcome !== false) throw await this.#deathDuringStart(outcome, logStart);
      if (clock.monotonicMs() > deadline) {
        const log = await this.#logSince(logStart);
        throw new Timeout(`${name} was not ready after ${start.timeoutMs / 1_000} s; ${quote(log)}`, {
          hint: failureHint(log, this.#parts.logFile),
        });
      }
      await sleep(clock, pollMs, start.signal);
    }
  }

  async #deathDuringStart(exit: ProcessExit, logStart: number): Promise<Error> {
    const log = await this.#logSince(logStart);
    const how = exit.signal === null ? `code ${exit.code}` : `signal ${exit.signal}`;
    const message = `${this.#parts.name} exited with ${how} during startup; ${quote(log)}`;
    const hint = failureHint(log, this.#parts.logFile);
    return /address already in use/.test(log) ? new PortTaken(message, { hint }) : new Unavailable(message, { hint });
  }

  async #logSince(start: number): Promise<string> {
    const file = await open(this.#parts.logFile, "r");
    try {
      const { size } = await file.stat();
      const length = Math.min(size - start, 256 * 1024);
      const { buffer } = await file.read({ buffer: Buffer.alloc(length), position: size - length });
      return buffer.toString("utf8");
    } finally {
      await file.close();
    }
  }
}

function quote(log: string): string {
  return log.trim() === "" ? "no log output" : `last log lines:\n${lastLines(log, shownLines)}`;
}
