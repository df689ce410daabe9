import type { Clock } from "@butler/std";

export interface ConnectGateOptions {
  readonly clock: Clock;
  /** Maximum concurrent connects. */
  readonly places: number;
  /** One that takes longer waits for the network, not for this machine: its slot goes to the next. */
  readonly patienceMs: number;
}

/**
 * Limits concurrent first connects, so that a starting process does not connect to a thousand tenants at once. A
 * hanging tenant gives up its slot, so that it delays others by the patience at most.
 */
export class ConnectGate {
  readonly #options: ConnectGateOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: ConnectGateOptions) {
    this.#options = options;
  }

  /** Runs the work as soon as a slot is free; rejects when the signal aborts before. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    const { clock, patienceMs } = this.#options;
    let isInside = true;
    const leave = (): void => {
      if (isInside) this.#leave();
      isInside = false;
    };
    const timer = clock.after(patienceMs, leave);
    try {
      return await work();
    } finally {
      timer.cancel();
      leave();
    }
  }

  #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#options.places) {
      this.#taken++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(proceed);
        reject(signal?.reason as Error);
      };
      this.#waiting.add(proceed);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** A free slot goes directly to the longest waiting caller. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
