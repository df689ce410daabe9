import { z } from "zod";
import { moment } from "../names.ts";
import { signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";

export const createLiveTicket = defineRoute({
  id: "live.ticket",
  method: "POST",
  path: "/api/live/tickets",
  summary: "Get a ticket for the WebSocket",
  description:
    "The WebSocket is at `/api/live`, with the subprotocols `butler.live.v1` and `ticket.` followed by the ticket. A " +
    "ticket is good once, for 30 seconds, and only for the same session and the same Origin.",
  permission: signedIn,
  responses: {
    201: z
      .object({ ticket: z.string().describe("The ticket."), expiresAt: moment("Until when it is good") })
      .meta({ id: "LiveTicket", examples: [{ ticket: "eyJqdGkiOiJ4In0.c2ln", expiresAt: "2026-06-01T12:00:30Z" }] }),
  },
  audit: "none",
});

/** Every route about live channels. */
export const liveRoutes = [createLiveTicket] as const;
