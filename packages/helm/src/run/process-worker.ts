// Runs helm in a separate thread: starting a program blocks the calling thread until the new process is scheduled,
// which takes hundreds of milliseconds on a busy machine.
import { constants, setPriority } from "node:os";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { describeError } from "@butler/std";
import { type HelmExit, type HelmProcess, runHelmProcess } from "./helm-process.ts";

/** This module, also within a bundle; the worker is started from it. */
export const workerUrl = new URL(import.meta.url);

/** Passed to the worker thread; threads that only import the module do nothing. */
export const processThread = "butler-helm";

/** Data that can be posted to another thread. */
export type PlainProcess = Omit<HelmProcess, "signal" | "onStart" | "onLine">;

export type ProcessTask =
  | { readonly kind: "run"; readonly id: number; readonly run: PlainProcess }
  | { readonly kind: "cancel"; readonly id: number };

export type ProcessNews =
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "line"; readonly id: number; readonly line: string }
  | { readonly kind: "ended"; readonly id: number; readonly exit: HelmExit }
  | { readonly kind: "failed"; readonly id: number; readonly error: string };

if (!isMainThread && workerData === processThread && parentPort !== null) serve(parentPort);

function serve(port: MessagePort): void {
  giveWay();
  const running = new Map<number, AbortController>();
  const tell = (news: ProcessNews): void => port.postMessage(news, []);
  port.on("message", (task: ProcessTask) => {
    const { id } = task;
    if (task.kind === "cancel") return running.get(id)?.abort();
    const stopping = new AbortController();
    running.set(id, stopping);
    runHelmProcess({
      ...task.run,
      signal: stopping.signal,
      onStart: (pid) => tell({ kind: "started", id, pid }),
      onLine: (line) => tell({ kind: "line", id, line }),
    })
      .then((exit) => tell({ kind: "ended", id, exit }))
      .catch((error: unknown) => tell({ kind: "failed", id, error: describeError(error) }))
      .finally(() => running.delete(id));
  });
}

/**
 * Several helm processes must not slow down the process that started them. On Linux each thread has its own priority,
 * which child processes inherit.
 */
function giveWay(): void {
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // Without permission, they run at normal priority.
  }
}
