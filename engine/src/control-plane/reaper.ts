/**
 * A program, started by `ProcessGuard`: it starts processes on behalf of its parent and kills them, with all their
 * children, when the parent exits for any reason. The channel to the parent closes when the parent exits; there is no
 * other reliable way to detect that it was killed. The reaper runs in its own session, so that a Ctrl-C or a signal to
 * the parent's process group does not stop it before its work is done.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, rmSync } from "node:fs";

/** Requests of the parent. */
export type ReaperOrder =
  | {
      readonly type: "start";
      readonly id: number;
      readonly command: string;
      readonly arguments: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly directory: string;
      readonly logFile: string;
    }
  | { readonly type: "signal"; readonly id: number; readonly signal: NodeJS.Signals }
  /** A directory to remove when the parent has exited. */
  | { readonly type: "removeAtEnd"; readonly directory: string };

/** Messages to the parent. */
export type ReaperNotice =
  | { readonly type: "started"; readonly id: number; readonly pid: number }
  | { readonly type: "failed"; readonly id: number; readonly message: string }
  | { readonly type: "exited"; readonly id: number; readonly code: number | null; readonly signal: string | null };

const running = new Map<number, ChildProcess>();
const toRemove: string[] = [];
let isEnding = false;

process.on("message", (message) => obey(message as ReaperOrder));
process.on("disconnect", end);
process.on("SIGTERM", end);
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  end();
});
if (!process.connected) end();

function obey(order: ReaperOrder): void {
  if (isEnding) return;
  if (order.type === "start") start(order);
  else if (order.type === "signal") signalGroup(running.get(order.id), order.signal);
  else toRemove.push(order.directory);
}

function start(order: Extract<ReaperOrder, { type: "start" }>): void {
  const { id } = order;
  const log = openSync(order.logFile, "a", 0o600);
  const child = spawn(order.command, [...order.arguments], {
    cwd: order.directory,
    env: { ...order.environment },
    stdio: ["ignore", log, log],
    // A separate process group, so that one signal reaches all descendants.
    detached: true,
  });
  closeSync(log);
  child.once("error", (error) => tell({ type: "failed", id, message: error.message }));
  if (child.pid === undefined) return;
  running.set(id, child);
  tell({ type: "started", id, pid: child.pid });
  child.once("exit", (code, signal) => {
    running.delete(id);
    tell({ type: "exited", id, code, signal });
    if (isEnding) end();
  });
}

function signalGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function tell(notice: ReaperNotice): void {
  // A closed channel means that the parent has exited, so there is no receiver left.
  if (process.connected) process.send?.(notice, undefined, undefined, () => undefined);
}

function end(): void {
  if (!isEnding) {
    isEnding = true;
    for (const child of running.values()) signalGroup(child, "SIGKILL");
  }
  if (running.size > 0) return;
  for (const directory of toRemove) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}
