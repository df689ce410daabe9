import { connectLive, createLiveTicket, type LiveChannel, type LiveFilter } from "@butler/contract";
import type { QueryClient } from "@tanstack/react-query";
import { CalmConnection } from "./calm-connection.ts";
import { client } from "./client.ts";
import { readCsrfToken } from "./cookie.ts";
import { LiveStore } from "./live-store.ts";

/** The WebSocket of the page and the store that it feeds. */
export interface Live {
  readonly connection: CalmConnection;
  readonly store: LiveStore;
  close(): void;
}

const lives = new WeakMap<QueryClient, Live>();

/** Connects while the code of the page still loads. Does nothing without a session. */
export function beginLive(queries: QueryClient): void {
  const isBegun = lives.has(queries);
  if (!isBegun && readCsrfToken(document.cookie) !== undefined) takeLive(queries);
}

/** Subscribes to a channel on behalf of a page that is still loading. */
export function followEarly(queries: QueryClient, channel: LiveChannel, filter: LiveFilter): void {
  const stop = lives.get(queries)?.store.follow(channel, filter);
  // The subscription lingers for a few seconds, which is enough for the page to take over.
  stop?.();
}

/** Hands over the connection: the one opened early, unless it was refused or closed. */
export function takeLive(queries: QueryClient): Live {
  const begun = lives.get(queries);
  const isOver = begun?.connection.current === "refused" || begun?.connection.current === "closed";
  const live = begun === undefined || isOver ? openLive(queries) : begun;
  lives.set(queries, live);
  return live;
}

function openLive(queries: QueryClient): Live {
  const connection = connectLive({
    baseUrl: location.origin,
    ticket: async () => (await client.call(createLiveTicket, {})).ticket,
  });
  return {
    connection: new CalmConnection(connection),
    store: new LiveStore(connection, queries),
    close: () => connection.close(),
  };
}
