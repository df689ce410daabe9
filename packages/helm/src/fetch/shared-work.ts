/** A unit of work and its waiting callers. */
interface Running {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Deduplicates concurrent work: several callers share one run. A caller can leave; the run is canceled when the last one
 * leaves.
 */
export class SharedWork {
  readonly #running = new Map<string, Running>();
  /** Including abandoned runs that have not ended yet. */
  readonly #unfinished = new Set<Running>();

  /** Joins the running work for this key, or starts it. */
  async run<T>(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(key) ?? this.#begin(key, work);
    running.waiting += 1;
    let leave = (): void => undefined;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason as Error);
      signal.addEventListener("abort", leave, { once: true });
    });
    try {
      return (await Promise.race([running.result, left])) as T;
    } finally {
      signal.removeEventListener("abort", leave);
      running.waiting -= 1;
      if (running.waiting === 0) this.#abandon(key, running);
    }
  }

  /** Cancels all runs with a reason and waits until they have ended. */
  async stop(reason: Error): Promise<void> {
    const all = [...this.#unfinished];
    for (const { controller } of all) controller.abort(reason);
    await Promise.allSettled(all.map(({ result }) => result));
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<unknown>): Running {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => {
      if (this.#running.get(key) === running) this.#running.delete(key);
      this.#unfinished.delete(running);
    });
    const running: Running = { result, controller, waiting: 0 };
    this.#unfinished.add(running);
    // Waiting callers get the error; when all have left, it is ignored.
    result.catch(() => undefined);
    this.#running.set(key, running);
    return running;
  }

  /** New callers must not join a run that is being canceled. */
  #abandon(key: string, running: Running): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
    running.controller.abort(new Error("no caller is waiting for this"));
  }
}
