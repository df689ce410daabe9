import { Worker } from "node:worker_threads";
import { Unavailable } from "@butler/std";
import type { HelmExit, HelmProcess } from "./helm-process.ts";
import type { ProcessNews, ProcessTask } from "./process-worker.ts";

interface Waiting extends PromiseWithResolvers<HelmExit> {
  readonly run: HelmProcess;
  pid: number | undefined;
}

/** The thread shared by all runs of this process, and its pending calls. */
class ProcessThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 0;

  async run(run: HelmProcess): Promise<HelmExit> {
    const { workerUrl, processThread } = await import("./process-worker.ts");
    const worker = this.#thread(workerUrl, processThread);
    const id = this.#nextId++;
    const waiting: Waiting = { ...Promise.withResolvers<HelmExit>(), run, pid: undefined };
    const { signal, onStart: _onStart, onLine: _onLine, ...plain } = run;
    const ask = (task: ProcessTask): void => worker.postMessage(task, []);
    const cancel = (): void => ask({ kind: "cancel", id });
    this.#waiting.set(id, waiting);
    // Keeps the process alive while a run is active.
    worker.ref();
    ask({ kind: "run", id, run: plain });
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await waiting.promise;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    }
  }

  #thread(url: URL, workerData: string): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(url, { workerData, execArgv: [], env: {} });
    worker.on("message", (news: ProcessNews) => this.#hear(news));
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, undefined));
    this.#worker = worker;
    return worker;
  }

  #hear(news: ProcessNews): void {
    const waiting = this.#waiting.get(news.id);
    if (waiting === undefined) return;
    if (news.kind === "line") waiting.run.onLine(news.line);
    else if (news.kind === "ended") waiting.resolve(news.exit);
    else if (news.kind === "failed") {
      waiting.reject(new Unavailable(news.error, { hint: "Install Helm 4, or configure its path." }));
    } else {
      waiting.pid = news.pid;
      waiting.run.onStart(news.pid);
    }
  }

  /** Their results would be lost: running processes are stopped, and the next run starts a new thread. */
  #lose(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { pid, reject } of this.#waiting.values()) {
      if (pid !== undefined) endProcess(pid);
      reject(new Unavailable("the helm worker thread exited", { cause, hint: "Retry." }));
    }
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It has ended on its own.
  }
}

const thread = new ProcessThread();

/** The same as `runHelmProcess`, without blocking the caller, and at a lower priority. */
export function runHelmApart(run: HelmProcess): Promise<HelmExit> {
  return thread.run(run);
}
