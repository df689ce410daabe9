import { z } from "zod";
import { labelName, moment } from "../names.ts";
import { onCluster } from "../permission.ts";
import { defineRoute } from "../route.ts";

export const openTerminal = defineRoute({
  id: "terminal.open",
  method: "POST",
  path: "/api/clusters/{namespace}/{name}/terminal",
  summary: "Open a kubectl terminal for a cluster",
  description:
    "Starts a dedicated pod with your permissions in that cluster only. Connect to `url` with a WebSocket and pass " +
    "the ticket in the query before it expires. Binary messages carry input and output; a text message " +
    '`{"type":"resize","columns":80,"rows":24}` resizes the terminal.',
  permission: onCluster("viewer"),
  params: z.object({ namespace: labelName("namespace"), name: labelName("cluster") }),
  responses: {
    201: z
      .object({
        id: z.string().describe("ID of the terminal."),
        url: z.string().describe("Path of the WebSocket."),
        ticket: z.string().describe("Single-use ticket for the WebSocket."),
        ticketExpiresAt: moment("Expiration time of the ticket"),
        expiresAt: moment("Time when the terminal is closed"),
        role: z.enum(["view", "cluster-admin"]).describe("Your ClusterRole in the cluster."),
      })
      .meta({ id: "TerminalTicket" }),
  },
  errors: ["TENANT_UNREACHABLE"],
  audit: { action: "open-terminal", kind: "Terminal" },
});

/** All routes for terminals. The WebSocket itself is at `/api/terminal/{id}`. */
export const terminalRoutes = [openTerminal] as const;
