/** One piece of work and those who wait for it. */
interface Running {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Work that several ask for at the same time and that is done once. Who no longer wants it leaves; it is broken off when
 * nobody wants it.
 */
export class SharedWork {
  readonly #running = new Map<string, Running>();
  /** Also those that nobody waits for and that have not ended yet. */
  readonly #unfinished = new Set<Running>();

  /** Joins the work under way for this key, or begins it. */
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

  /** Breaks everything off with a reason and waits until it has ended. */
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
    // Whoever waits gets the error; when all have left there is nobody to tell.
    result.catch(() => undefined);
    this.#running.set(key, running);
    return running;
  }

  /** Who comes now must not join work that is being broken off. */
  #abandon(key: string, running: Running): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
    running.controller.abort(new Error("nobody waits for this any more"));
  }
}
