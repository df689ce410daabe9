import { z } from "zod";

/**
 * The WebSocket subprotocol. The ticket is passed as a second one, `ticket.<ticket>`, because logs do not record
 * subprotocols.
 */
export const liveProtocol = "butler.live.v1";

/** Prefix of the ticket subprotocol. */
export const ticketPrefix = "ticket.";

/** Path of the WebSocket. */
export const livePath = "/api/live";

/** Maximum size of a message that the server accepts. */
export const largestLiveMessage = 4_096;

/** Channels that clients can subscribe to. */
export const liveChannels = ["clusters", "nodes", "addons", "events", "notifications"] as const;
export type LiveChannel = (typeof liveChannels)[number];

/** Close codes of the server, in addition to the standard ones. */
export const liveCloseCodes = {
  /** The server is stopping; reconnect to another replica. */
  drain: 1012,
  /** A message was invalid. */
  invalid: 4400,
  /** The user is no longer signed in. */
  signedOut: 4401,
  /** Too many subscriptions on one socket. */
  tooMany: 4429,
} as const;

const name = z.string().min(1).max(253);

/** Selects objects of a channel (empty for all visible ones), and how much of each to send. */
export const liveFilter = z.strictObject({
  team: name.optional(),
  namespace: name.optional(),
  /** Name of a cluster; needs its namespace. `nodes` needs both. */
  cluster: name.optional(),
  /** Only what lists show of an object, where a channel has that: of clusters it has `BriefCluster`. */
  isBrief: z.literal(true).optional(),
});
export type LiveFilter = z.output<typeof liveFilter>;

/** Messages of the client. */
export const liveRequest = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("subscribe"),
    /** The client's own name for the subscription. */
    id: z.string().min(1).max(64),
    channel: z.enum(liveChannels),
    filter: liveFilter.optional(),
    /** Cursor to resume from; the server sends the changes since then, or a new snapshot. */
    cursor: z.string().max(200).optional(),
  }),
  z.strictObject({ type: z.literal("unsubscribe"), id: z.string().min(1).max(64) }),
]);
export type LiveRequest = z.output<typeof liveRequest>;

/** An object of a channel and its key. */
export interface LiveObject {
  readonly key: string;
  readonly object: unknown;
}

/**
 * Messages of the server. A snapshot replaces all known objects and can be sent at any time. It can have several parts,
 * the last one marked as such. A cursor is valid only after the last part was received.
 */
export type LiveMessage =
  | {
      readonly type: "snapshot";
      readonly id: string;
      readonly isFirst: boolean;
      readonly isLast: boolean;
      readonly cursor?: string;
      readonly objects: readonly LiveObject[];
    }
  | {
      readonly type: "changes";
      readonly id: string;
      readonly cursor: string;
      readonly changed: readonly LiveObject[];
      readonly removed: readonly string[];
    }
  | { readonly type: "error"; readonly id?: string; readonly code: string; readonly message: string }
  | { readonly type: "beat" };

/** Interval of heartbeats on an idle connection. */
export const beatEveryMs = 15_000;
