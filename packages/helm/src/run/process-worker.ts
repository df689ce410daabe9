// Runs helm from a thread of its own: starting a program holds up the thread that does so until the new one has got its
// turn on a processor, which takes hundreds of milliseconds on a busy machine.
import { constants, setPriority } from "node:os";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { describeError } from "@butler/std";
import { type HelmExit, type HelmProcess, runHelmProcess } from "./helm-process.ts";

/** Where this very module is, also when it has become a file of a bundle; a worker is started from it. */
export const workerUrl = new URL(import.meta.url);

/** What the thread is started with; it keeps the module quiet in threads that only import it. */
export const processThread = "butler-helm";

/** What can be sent to another thread. */
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
 * Several helms at once must not keep the process that started them from answering. On Linux every thread has a priority
 * of its own, and hands it on to the programs that it starts.
 */
function giveWay(): void {
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {
    // Where that is not allowed they run as they are.
  }
}
