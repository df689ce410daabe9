import { connectLive, createLiveTicket, type LiveChannel, type LiveFilter } from "@butler/contract";
import type { QueryClient } from "@tanstack/react-query";
import { CalmConnection } from "./calm-connection.ts";
import { client } from "./client.ts";
import { readCookie } from "./cookie.ts";
import { LiveStore } from "./live-store.ts";

/** The one WebSocket of the page, and what is known through it. */
export interface Live {
  readonly connection: CalmConnection;
  readonly store: LiveStore;
  close(): void;
}

const lives = new WeakMap<QueryClient, Live>();

/** Connects while the code of the page is still on its way; for whoever has no session there is nothing to connect to. */
export function beginLive(queries: QueryClient): void {
  const isBegun = lives.has(queries);
  if (!isBegun && readCookie("butler_csrf", document.cookie) !== undefined) takeLive(queries);
}

/** Follows a channel for a page that will do so by itself once it is there. */
export function followEarly(queries: QueryClient, channel: LiveChannel, filter: LiveFilter): void {
  const stop = lives.get(queries)?.store.follow(channel, filter);
  // It lingers for a few seconds, which is enough for the page to come.
  stop?.();
}

/** The connection, for whoever looks after it from now on: the one that was begun, unless it is over. */
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
