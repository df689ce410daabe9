import { Unavailable } from "@butler/std";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReaperNotice, ReaperOrder } from "./reaper.ts";

/** The exit status of a process. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A process that does not outlive this process. */
export interface GuardedProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Signals the process and all its descendants; does nothing after its exit. */
  signal(signal: NodeJS.Signals): void;
}

/** What to start. */
export interface ProcessOrder {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Output is appended to this file. */
  readonly logFile: string;
}

/** Options of a guard. */
export interface ProcessGuardOptions {
  /** Shown in process lists to distinguish reapers. */
  readonly label: string;
  readonly logFile: string;
  /** A directory that must not outlive this process. */
  readonly removeAtEnd: string | undefined;
}

interface Entry {
  readonly started: PromiseWithResolvers<number>;
  readonly exited: PromiseWithResolvers<ProcessExit>;
  pid: number | undefined;
}

/** Starts processes through a reaper, so that none of them outlives this process. */
export class ProcessGuard {
  readonly #reaper: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #entries = new Map<number, Entry>();
  #nextId = 1;
  #hasEnded = false;

  constructor({ label, logFile, removeAtEnd }: ProcessGuardOptions) {
    const log = openSync(logFile, "a", 0o600);
    this.#reaper = spawn(process.execPath, [join(import.meta.dirname, "reaper.ts"), label], {
      cwd: tmpdir(),
      env: {},
      stdio: ["ignore", "ignore", log, "ipc"],
      detached: true,
    });
    closeSync(log);
    this.#ended = new Promise<void>((resolve) => {
      this.#reaper.once("exit", () => resolve());
      this.#reaper.once("error", () => resolve());
    }).then(() => this.#abandon());
    this.#reaper.on("message", (message) => this.#hear(message as ReaperNotice));
    if (removeAtEnd !== undefined) this.#send({ type: "removeAtEnd", directory: removeAtEnd });
  }

  async run(order: ProcessOrder): Promise<GuardedProcess> {
    if (this.#hasEnded) throw guardHasEnded();
    const id = this.#nextId;
    this.#nextId += 1;
    const entry: Entry = { started: Promise.withResolvers(), exited: Promise.withResolvers(), pid: undefined };
    this.#entries.set(id, entry);
    this.#send({ type: "start", id, ...order });
    const pid = await entry.started.promise;
    return {
      pid,
      exited: entry.exited.promise,
      signal: (signal) => {
        if (this.#entries.has(id)) this.#send({ type: "signal", id, signal });
      },
    };
  }

  /** Closes the channel to the reaper, which kills all remaining processes. */
  async close(): Promise<void> {
    if (this.#reaper.connected) this.#reaper.disconnect();
    await this.#ended;
  }

  #send(order: ReaperOrder): void {
    // After a failed send the reaper exits, which settles all pending promises.
    this.#reaper.send(order, () => undefined);
  }

  #hear(notice: ReaperNotice): void {
    const entry = this.#entries.get(notice.id);
    if (entry === undefined) return;
    if (notice.type === "started") {
      entry.pid = notice.pid;
      entry.started.resolve(notice.pid);
      return;
    }
    this.#entries.delete(notice.id);
    if (notice.type === "failed") entry.started.reject(new Unavailable(notice.message));
    else entry.exited.resolve({ code: notice.code, signal: notice.signal });
  }

  /** The reaper has exited; if it was killed, its processes still run and are killed here. */
  #abandon(): void {
    this.#hasEnded = true;
    for (const entry of this.#entries.values()) {
      entry.started.reject(guardHasEnded());
      if (entry.pid !== undefined) killGroup(entry.pid);
      entry.exited.resolve({ code: null, signal: "SIGKILL" });
    }
    this.#entries.clear();
  }
}

function guardHasEnded(): Unavailable {
  return new Unavailable("the control plane's guard process has exited", {
    hint: "Stop this control plane and start another one.",
  });
}

/** Kills a process and all descendants in its process group; ignores a group that no longer exists. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
