import type { KubeClient } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { type Clock, NotFound, sleep, systemClock, Unavailable } from "@butler/std";

const lookIntervalMs = 60_000;
const shortIntervalMs = 5_000;

/** The kinds that the API server serves. Watches of other kinds would never start. */
export async function findServedKinds(
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
  { kinds, signal, clock = systemClock }: Omit<NoticeOptions, "served">,
): Promise<void> {
  while (!signal.aborted) {
    const served = await findServedKinds(client, kinds, signal).catch(() => []);
    if (served.length === kinds.length) return;
    await sleep(clock, shortIntervalMs, signal).catch(() => undefined);
  }
}

/** Throws once other kinds are served than at the start, so that the process is restarted with them. */
export async function noticeNewKinds(
  client: Pick<KubeClient, "list">,
  { kinds, served, signal, clock = systemClock }: NoticeOptions,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(clock, lookIntervalMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    const now = await findServedKinds(client, kinds, signal).catch(() => served);
    const added = now.filter((kind) => !served.includes(kind)).map(({ kind }) => kind);
    if (added.length > 0) throw new Unavailable(`${added.join(", ")} is now served; restarting`);
  }
}

/** The kinds to look for, and those that were served at the start. */
export interface NoticeOptions {
  readonly kinds: readonly Kind[];
  readonly served: readonly Kind[];
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}
