import { z } from "zod";

/** The WebSocket subprotocol. A ticket goes along as a second one, `ticket.` and the ticket: no log keeps those. */
export const liveProtocol = "butler.live.v1";

/** What stands before a ticket among the subprotocols. */
export const ticketPrefix = "ticket.";

/** Where the WebSocket is. */
export const livePath = "/api/live";

/** The largest message that the server takes. */
export const largestLiveMessage = 4_096;

/** What can be followed. */
export const liveChannels = ["clusters", "nodes", "addons", "events", "notifications"] as const;
export type LiveChannel = (typeof liveChannels)[number];

/** Why the server closes a socket, besides what WebSockets close with anyway. */
export const liveCloseCodes = {
  /** The server is stopping; come back, to another one. */
  drain: 1012,
  /** A message was not understood. */
  invalid: 4400,
  /** Whoever opened the socket is not signed in any more. */
  signedOut: 4401,
  /** More subscriptions than one socket can have. */
  tooMany: 4429,
} as const;

const name = z.string().min(1).max(253);

/** Which objects of a channel are wanted, all that may be seen when empty, and how much of each. */
export const liveFilter = z.strictObject({
  team: name.optional(),
  namespace: name.optional(),
  /** Name of a cluster; needs its namespace. `nodes` needs both. */
  cluster: name.optional(),
  /** Only what lists show of an object, where a channel has that: of clusters it has `BriefCluster`. */
  isBrief: z.literal(true).optional(),
});
export type LiveFilter = z.output<typeof liveFilter>;

/** What a client can say. */
export const liveRequest = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("subscribe"),
    /** The client's own name for the subscription. */
    id: z.string().min(1).max(64),
    channel: z.enum(liveChannels),
    filter: liveFilter.optional(),
    /** Where the client has got to; what it has missed since then comes, or everything anew. */
    cursor: z.string().max(200).optional(),
  }),
  z.strictObject({ type: z.literal("unsubscribe"), id: z.string().min(1).max(64) }),
]);
export type LiveRequest = z.output<typeof liveRequest>;

/** An object of a channel and what names it there. */
export interface LiveObject {
  readonly key: string;
  readonly object: unknown;
}

/**
 * What the server says. A snapshot puts everything in place of what was known before, and may come at any time; it can
 * have several parts, of which the last says so. A cursor is only good once it has come.
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

/** How often the server lets hear of itself when there is nothing to say. */
export const beatEveryMs = 15_000;
