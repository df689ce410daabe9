import type { KubeClient } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { type Clock, NotFound, sleep, systemClock } from "@butler/std";

const lookIntervalMs = 5_000;

/** The kinds that the API server serves. */
async function findServedKinds(
  client: Pick<KubeClient, "list">,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Kind[]> {
  const served = await Promise.all(
    kinds.map(async (kind) => {
      try {
        await client.list(kind, { limit: 1, signal });
        return [kind];
      } catch (error) {
        if (error instanceof NotFound) return [];
        throw error;
      }
    }),
  );
  return served.flat();
}

/** Waits until all kinds are served, or the signal aborts. Errors of the API server are retried. */
export async function untilServed(
  client: Pick<KubeClient, "list">,
  { kinds, signal, clock = systemClock }: UntilServedOptions,
): Promise<void> {
  while (!signal.aborted) {
    const served = await findServedKinds(client, kinds, signal).catch(() => []);
    if (served.length === kinds.length) return;
    await sleep(clock, lookIntervalMs, signal).catch(() => undefined);
  }
}

/** The kinds to wait for. */
export interface UntilServedOptions {
  readonly kinds: readonly Kind[];
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}
