import { z } from "zod";
import { moment } from "../names.ts";
import { signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";

export const createLiveTicket = defineRoute({
  id: "live.ticket",
  method: "POST",
  path: "/api/live/tickets",
  summary: "Create a WebSocket ticket",
  description:
    "Connect to the WebSocket at `/api/live` with the subprotocols `butler.live.v1` and `ticket.<ticket>`. A ticket " +
    "can be used once, within 30 seconds, and only from the same session and origin.",
  permission: signedIn,
  responses: {
    201: z
      .object({ ticket: z.string().describe("The ticket."), expiresAt: moment("Expiration time of the ticket") })
      .meta({ id: "LiveTicket", examples: [{ ticket: "eyJqdGkiOiJ4In0.c2ln", expiresAt: "2026-06-01T12:00:30Z" }] }),
  },
  audit: "none",
});

/** Every route about live channels. */
export const liveRoutes = [createLiveTicket] as const;
