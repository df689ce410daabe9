import { ButlerConfig, butlerConfigName } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { ButlerError, type Clock, sleep } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";

/** Options of the check. */
export interface ApiHealthOptions {
  /** Sends a cheap request to the API server. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly everyMs?: number;
  /** Time limit of one request. */
  readonly probeTimeoutMs?: number;
  /** The API counts as unavailable after this time without a response: longer than one slow response on a busy machine. */
  readonly toleranceMs?: number;
}

/** A probe that reads one small object, so that it also fails if the API server has lost its store. */
export function apiProbe(client: Pick<KubeClient, "find">): ApiHealthOptions["probe"] {
  return async (signal) => {
    try {
      await client.find(ButlerConfig, { name: butlerConfigName }, signal);
    } catch (error) {
      // A refusal is a response.
      const status = error instanceof ButlerError ? error.details["status"] : undefined;
      if (typeof status !== "number" || status >= 500) throw error;
    }
  };
}

/** The response to requests that need Kubernetes while its API does not respond. */
export function apiLost(): RouteProblem {
  return new RouteProblem("UNAVAILABLE", "the Kubernetes API is not responding", {
    hint: "Retry in a few seconds. If the problem persists, check the management cluster's API server.",
    retryAfterSeconds: 5,
  });
}

/** Whether the Kubernetes API responds. A server that hangs accepts connections, so only a response counts. */
export class ApiHealth {
  readonly #options: Required<ApiHealthOptions>;
  #answeredAtMs: number;
  #lost = new AbortController();

  constructor(options: ApiHealthOptions) {
    this.#options = { everyMs: 1_000, probeTimeoutMs: 2_000, toleranceMs: 5_000, ...options };
    this.#answeredAtMs = options.clock.monotonicMs();
  }

  get isAvailable(): boolean {
    return !this.#lost.signal.aborted;
  }

  /** Aborts when the API stops responding, with the problem to return; requests in progress end with it. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Probes until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, everyMs } = this.#options;
    while (!signal.aborted) {
      await this.#look(signal);
      await sleep(clock, everyMs, signal).catch(() => undefined);
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { probe, clock, probeTimeoutMs, toleranceMs } = this.#options;
    const limit = new AbortController();
    const timer = clock.after(probeTimeoutMs, () => limit.abort(new Error("the probe timed out")));
    try {
      await probe(AbortSignal.any([signal, limit.signal]));
      this.#answeredAtMs = clock.monotonicMs();
      if (!this.isAvailable) this.#lost = new AbortController();
    } catch {
      const silentMs = clock.monotonicMs() - this.#answeredAtMs;
      if (!signal.aborted && silentMs >= toleranceMs) this.#lost.abort(apiLost());
    } finally {
      timer.cancel();
    }
  }
}

/** Waits for work no longer than until the signal aborts; then rejects with its reason. */
export async function until<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const over = Promise.withResolvers<never>();
  const onAbort = (): void => over.reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // A late rejection is expected.
    work.catch(() => undefined);
    over.promise.catch(() => undefined);
  }
}
