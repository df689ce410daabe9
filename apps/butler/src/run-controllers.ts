import type { CacheSet } from "@butler/kube";

/** Fills the caches, runs until the signal aborts, and waits for the watches to stop. */
export async function runControllers(
  caches: CacheSet,
  workers: readonly { readonly run: (signal: AbortSignal) => Promise<void> }[],
  signal: AbortSignal,
): Promise<void> {
  await caches.start(signal);
  await Promise.all(workers.map((worker) => worker.run(signal)));
  await caches.stopped();
}
