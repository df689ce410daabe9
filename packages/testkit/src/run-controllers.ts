import type { CacheSet } from "@butler/kube";

/** The queue of a controller under test: it retries sooner than a real one. */
export const quickQueue = { backoff: { initialMs: 20, maximumMs: 500, factor: 2, jitter: 0.3 } } as const;

/** Controllers that run against a test cluster. */
export interface RunningControllers {
  /** Stops them without waiting for hanging passes, like a crash. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Fills the caches and runs the controllers. */
export async function runControllers(
  caches: CacheSet,
  runtimes: readonly { readonly run: (signal: AbortSignal) => Promise<void> }[],
): Promise<RunningControllers> {
  const stopping = new AbortController();
  await caches.start(stopping.signal);
  const running = runtimes.map((runtime) => runtime.run(stopping.signal));
  return {
    kill: async () => {
      stopping.abort();
      await caches.stopped();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([...running, caches.stopped()]);
    },
  };
}
