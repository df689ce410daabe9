import type { LiveChannel, LiveClient, LiveFilter } from "@butler/contract";
import type { QueryClient } from "@tanstack/react-query";

/** State of a channel. */
export interface LiveList<Item> {
  readonly items: readonly Item[];
  /** Why the server rejected the subscription. Items received earlier are kept. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** The key of a channel in the query cache. */
export function liveKey(channel: LiveChannel, filter: LiveFilter) {
  return [
    "live",
    channel,
    filter.team ?? "",
    filter.namespace ?? "",
    filter.cluster ?? "",
    filter.isBrief ?? false,
  ] as const;
}

interface Followed {
  users: number;
  stop: () => void;
}

/** Changes within this time are batched into one re-render. */
const gatherMs = 50;

/**
 * Feeds the query cache from the live channels. Components share one subscription per channel and filter; unused
 * subscriptions linger for a moment, so that navigating back and forth is free.
 */
export class LiveStore {
  readonly #live: LiveClient;
  readonly #queries: QueryClient;
  readonly #followed = new Map<string, Followed>();
  readonly #lingerMs: number;

  constructor(live: LiveClient, queries: QueryClient, { lingerMs = 5_000 }: { readonly lingerMs?: number } = {}) {
    this.#live = live;
    this.#queries = queries;
    this.#lingerMs = lingerMs;
  }

  /** Subscribes to a channel. Returns the unsubscribe function. */
  follow(channel: LiveChannel, filter: LiveFilter): () => void {
    const name = JSON.stringify(liveKey(channel, filter));
    const known = this.#followed.get(name);
    const entry = known ?? { users: 0, stop: this.#subscribe(channel, filter) };
    entry.users++;
    this.#followed.set(name, entry);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      entry.users--;
      setTimeout(() => this.#letGo(name, entry), this.#lingerMs);
    };
  }

  #letGo(name: string, entry: Followed): void {
    if (entry.users > 0 || this.#followed.get(name) !== entry) return;
    this.#followed.delete(name);
    entry.stop();
  }

  #subscribe(channel: LiveChannel, filter: LiveFilter): () => void {
    const key = liveKey(channel, filter);
    const put = (change: (before: LiveList<unknown> | undefined) => LiveList<unknown>): void => {
      this.#queries.setQueryData<LiveList<unknown>>(key, change);
    };
    const gathered: { objects?: ReadonlyMap<string, unknown>; timer?: ReturnType<typeof setTimeout> | undefined } = {};
    const stop = this.#live.subscribe({
      channel,
      filter,
      onState: (objects) => {
        // The first snapshot is shown without batching.
        if (this.#queries.getQueryData(key) === undefined) return put(() => ({ items: [...objects.values()] }));
        gathered.objects = objects;
        gathered.timer ??= setTimeout(() => {
          gathered.timer = undefined;
          const { objects: newest } = gathered;
          if (newest !== undefined) put(() => ({ items: [...newest.values()] }));
        }, gatherMs);
      },
      onError: (code, message) => put((before) => ({ items: before?.items ?? [], error: { code, message } })),
    });
    return () => {
      clearTimeout(gathered.timer);
      stop();
    };
  }
}
