import { backoffDelayMs, describeError, sleep, systemClock, type Timer } from "@butler/std";
import type { ChildProcess } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasEnded, startDetached } from "./detached-program.ts";
import { type BootIdentity, identifyInBoot, isRunning } from "./service-process.ts";
import { directoryIsTaken, readGuardian, type StatePaths } from "./state-directory.ts";

const pollMs = 1_000;
const endPollMs = 25;
const graceMs = 3_000;
const retry = { initialMs: pollMs, maximumMs: 60_000, factor: 2, jitter: 0 };

/** The daemon's side of the guardian: makes sure that one runs until everything is to stop. */
export class GuardianRestarts {
  readonly #paths: StatePaths;
  readonly #report: (message: string) => void;
  #child: ChildProcess | undefined;
  /** The current guardian as far as known: before it has recorded itself, and after it has removed its record. */
  #last: BootIdentity | undefined;
  #failures = 0;
  #said = "";
  #timer: Timer | undefined;
  #ended: Promise<void> | undefined;

  constructor(paths: StatePaths, report: (message: string) => void) {
    this.#paths = paths;
    this.#report = report;
  }

  /** Starts a guardian unless one runs, and again whenever it exits. */
  begin(): void {
    if (this.#ended !== undefined) return;
    let delayMs = pollMs;
    try {
      delayMs = this.#look();
    } catch (error) {
      delayMs = this.#fail(describeError(error));
    }
    this.#timer = systemClock.after(delayMs, () => this.begin());
  }

  /**
   * Records, before it returns, that everything is to stop, so that no daemon follows this one; resolves when no
   * guardian is running.
   */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  /** Returns the time until the next check. */
  #look(): number {
    const guardian = readGuardian(this.#paths);
    if (guardian !== undefined && isRunning(guardian)) {
      this.#last = guardian;
      this.#failures = 0;
      this.#said = "";
      return pollMs;
    }
    const child = this.#child;
    if (child !== undefined && !hasEnded(child)) return pollMs;
    this.#child = undefined;
    if (child !== undefined && isFailure(child))
      return this.#fail(`the guardian exited with code ${child.exitCode ?? "none"}`);
    this.#child = startDetached(this.#paths, "guardian.ts");
    this.#last = this.#child.pid === undefined ? undefined : identifyInBoot(this.#child.pid);
    return pollMs;
  }

  #fail(reason: string): number {
    this.#failures += 1;
    const message = `cannot start a guardian, so this supervisor will not be restarted if it is killed: ${reason}`;
    if (message !== this.#said) this.#report(message);
    this.#said = message;
    return backoffDelayMs(retry, this.#failures);
  }

  async #end(): Promise<void> {
    this.#timer?.cancel();
    try {
      writeFileSync(this.#paths.stopping, "", { mode: 0o600 });
    } catch (error) {
      this.#report(`cannot write ${this.#paths.stopping}: ${describeError(error)}`);
    }
    const graceEndsMs = systemClock.monotonicMs() + graceMs;
    for (;;) {
      const living = [this.#last, readGuardian(this.#paths)].filter(
        (guardian) => guardian !== undefined && isRunning(guardian),
      );
      if (living.length === 0) break;
      for (const guardian of living) {
        if (guardian !== undefined) signal(guardian, systemClock.monotonicMs() < graceEndsMs ? "SIGTERM" : "SIGKILL");
      }
      await sleep(systemClock, endPollMs);
    }
    try {
      removeTraces(this.#paths);
    } catch (error) {
      this.#report(`cannot remove the guardian's files: ${describeError(error)}`);
    }
  }
}

/** A guardian that was stopped by a signal, or found another one running, has not failed. */
function isFailure({ exitCode, pid }: ChildProcess): boolean {
  return pid === undefined || (exitCode !== null && exitCode !== 0 && exitCode !== directoryIsTaken);
}

function signal({ pid }: BootIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Files that a killed guardian could not remove itself. */
function removeTraces({ guardian, guardianLock, locks }: StatePaths): void {
  rmSync(guardian, { force: true });
  for (const entry of readdirSync(locks)) {
    const other = join(locks, entry);
    if (other.startsWith(guardianLock)) rmSync(other, { recursive: true, force: true });
  }
}
