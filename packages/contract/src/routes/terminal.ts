import { z } from "zod";
import { labelName, moment } from "../names.ts";
import { onCluster } from "../permission.ts";
import { defineRoute } from "../route.ts";

export const openTerminal = defineRoute({
  id: "terminal.open",
  method: "POST",
  path: "/api/clusters/{namespace}/{name}/terminal",
  summary: "Open a terminal with kubectl for a cluster",
  description:
    "Makes a pod of its own with your rights in that cluster and nothing else. Connect to `url` with a WebSocket and " +
    "the ticket in the query before it ends. Binary messages are what is typed and shown; a text message " +
    '`{"type":"resize","columns":80,"rows":24}` changes the size.',
  permission: onCluster("viewer"),
  params: z.object({ namespace: labelName("namespace"), name: labelName("cluster") }),
  responses: {
    201: z
      .object({
        id: z.string().describe("Names the terminal."),
        url: z.string().describe("Path of the WebSocket."),
        ticket: z.string().describe("Opens the WebSocket, once."),
        ticketExpiresAt: moment("When the ticket ends"),
        expiresAt: moment("When the terminal ends at the latest"),
        role: z.enum(["view", "cluster-admin"]).describe("The ClusterRole that you have in the cluster."),
      })
      .meta({ id: "TerminalTicket" }),
  },
  errors: ["TENANT_UNREACHABLE"],
  audit: { action: "open-terminal", kind: "Terminal" },
});

/** Every route of terminals. The WebSocket itself is at `/api/terminal/{id}`. */
export const terminalRoutes = [openTerminal] as const;
