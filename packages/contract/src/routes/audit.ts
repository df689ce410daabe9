import { z } from "zod";
import { labelName, moment } from "../names.ts";
import { filter, flagFilter } from "../paging.ts";
import { inTeam, onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";

const when = (doc: string) =>
  z
    .string()
    .max(64)
    .regex(/^\d{4}-\d{2}-\d{2}(T[0-9:.]+(Z|[+-]\d{2}:\d{2}))?$/, "must be a date or a timestamp (RFC 3339)")
    .optional()
    .describe(doc);

const filters = {
  user: filter("Email address of the user."),
  action: filter("Action, such as `create` or `scale`."),
  resourceType: filter("Kind of the target."),
  resourceName: filter("Name of the target."),
  resourceNamespace: filter("Namespace of the target."),
  success: flagFilter("Whether the request succeeded."),
  from: when("Start of the period: a timestamp, or a date for the start of that day (UTC)."),
  to: when("End of the period: a timestamp, or a date for the end of that day (UTC)."),
  search: z.string().max(200).optional().describe("Search terms. A record must contain all of them."),
  limit: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe("Number of records per page, 1 to 500. Defaults to 50."),
  cursor: z.string().max(1024).optional().describe("Page to return: `nextCursor` from the previous page."),
};

/** An audit record. */
export const auditEntry = z
  .object({
    id: z.string().describe("Permanent ID of the record."),
    timestamp: moment("Time when the record was created"),
    requestId: z.string().describe("Request ID, as returned in the response."),
    user: z.string().describe("Email address of the user. Empty for actions by the server itself."),
    action: z.string().describe("Action."),
    resourceType: z.string().describe("Kind of the target."),
    resourceName: z.string().describe("Name of the target."),
    resourceNamespace: z.string().describe("Namespace of the target. Empty if the target has none."),
    teamRef: z.string().describe("Team of the target. Empty if the target has none."),
    httpMethod: z.string().describe("HTTP method of the request."),
    path: z.string().describe("Path of the request."),
    statusCode: z.int().describe("HTTP status of the response. 0 if unknown."),
    success: z.boolean().describe("Whether the request succeeded."),
    outcome: z
      .enum(["success", "failure", "unknown"])
      .describe("Outcome. `unknown` if the server stopped before it could record one."),
    code: z.string().describe("Problem code. Empty if there was no problem."),
    fields: z.array(z.string()).describe("Paths of the fields in the request, without their values."),
    sourceIP: z.string().describe("Source IP address of the request."),
  })
  .meta({
    id: "AuditEntry",
    examples: [
      {
        id: "20260601t120000-x7k2p9aq.17",
        timestamp: "2026-06-01T12:34:56.789Z",
        requestId: "0f3b2c",
        user: "ada@example.com",
        action: "scale",
        resourceType: "TenantCluster",
        resourceName: "shop",
        resourceNamespace: "payments",
        teamRef: "payments",
        httpMethod: "PATCH",
        path: "/api/clusters/payments/shop/scale",
        statusCode: 200,
        success: true,
        outcome: "success",
        code: "",
        fields: ["replicas"],
        sourceIP: "192.0.2.7",
      },
    ],
  });

const entries = z.object({
  entries: z.array(auditEntry).describe("Records on this page, newest first."),
  nextCursor: z.string().optional().describe("Cursor for the next page. Absent on the last page."),
});

export const listAudit = defineRoute({
  id: "audit.query",
  method: "GET",
  path: "/api/admin/audit",
  summary: "Search the audit log, newest first",
  permission: onPlatform("viewer"),
  query: z.object({ team: filter("Team of the target."), ...filters }),
  responses: { 200: entries },
  audit: "none",
});

export const listTeamAudit = defineRoute({
  id: "audit.ofTeam",
  method: "GET",
  path: "/api/teams/{team}/audit",
  summary: "Search the audit log of a team, newest first",
  permission: inTeam("admin"),
  params: z.object({ team: labelName("team") }),
  query: z.object(filters),
  responses: { 200: entries },
  audit: "none",
});

export const exportAudit = defineRoute({
  id: "audit.export",
  method: "GET",
  path: "/api/admin/audit/export",
  summary: "Export the audit log as JSON lines, exactly as stored",
  description:
    "Each line contains the SHA-256 hash of the previous line in its chain, so that an export can be verified. Pass " +
    "the response header `x-butler-next-cursor` as `cursor` to get the next lines, including records written later.",
  permission: onPlatform("viewer"),
  query: z.object({
    cursor: z
      .string()
      .max(65_536)
      .optional()
      .describe("Position to continue from: `x-butler-next-cursor` from the previous response."),
    limit: z.coerce
      .number<number | string>()
      .int()
      .min(1)
      .max(5_000)
      .default(1_000)
      .describe("Number of lines, 1 to 5000. Defaults to 1000."),
  }),
  responses: { 200: z.string().describe("JSON objects, one per line.") },
  contentType: "text/plain",
  audit: { action: "export", kind: "AuditLog" },
});

export const verifyAudit = defineRoute({
  id: "audit.verify",
  method: "GET",
  path: "/api/admin/audit/verify",
  summary: "Verify that no audit record was changed or removed",
  permission: onPlatform("viewer"),
  responses: {
    200: z.object({
      isIntact: z.boolean().describe("Whether all chains are intact and complete."),
      anchor: z
        .enum(["valid", "pending", "missing", "changed"])
        .describe(
          "State of the anchors, which are stored outside the log and reveal deleted records: `pending` before the " +
            "first records are anchored, `missing` or `changed` if the anchors were deleted or changed.",
        ),
      chains: z
        .array(
          z.object({
            chain: z.string().describe("ID of the chain. Each server process starts a new one."),
            firstNumber: z.int().describe("Sequence number of the first retained record."),
            lastNumber: z.int().describe("Sequence number of the last verified record."),
            isBeginningExpired: z.boolean().describe("Whether older records have expired."),
            isEnded: z.boolean().describe("Whether the server process stopped cleanly. False while it is running."),
            break: z
              .object({
                number: z.int().describe("Sequence number of the record at which the chain breaks."),
                reason: z.enum(["changed", "missing", "unreadable", "cut"]).describe("Reason for the break."),
              })
              .optional()
              .describe("First break in the chain. Absent if the chain is intact."),
          }),
        )
        .describe("All chains."),
    }),
  },
  audit: "none",
});

/** All routes for the audit log. */
export const auditRoutes = [listAudit, listTeamAudit, exportAudit, verifyAudit] as const;
