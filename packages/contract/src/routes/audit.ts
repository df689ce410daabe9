import { z } from "zod";
import { labelName, moment } from "../names.ts";
import { filter, flagFilter } from "../paging.ts";
import { inTeam, onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";

const when = (doc: string) =>
  z
    .string()
    .max(64)
    .regex(/^\d{4}-\d{2}-\d{2}(T[0-9:.]+(Z|[+-]\d{2}:\d{2}))?$/, "must be a date or a moment (RFC 3339)")
    .optional()
    .describe(doc);

const filters = {
  user: filter("E-mail address of who did it."),
  action: filter("What was done, such as `create` or `scale`."),
  resourceType: filter("Kind of what it was done to."),
  resourceName: filter("Name of what it was done to."),
  resourceNamespace: filter("Namespace of what it was done to."),
  success: flagFilter("Whether it succeeded."),
  from: when("From when on: a moment, or a date for its beginning (UTC)."),
  to: when("Until when: a moment, or a date for its end (UTC)."),
  search: z.string().max(200).optional().describe("Words, each of which must occur in a record."),
  limit: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(500)
    .default(50)
    .describe("Records on a page, 1 to 500; 50 when absent."),
  cursor: z.string().max(1024).optional().describe("Where to go on: `nextCursor` of the page before."),
};

/** A record of something that was done. */
export const auditEntry = z
  .object({
    id: z.string().describe("Names the record for ever."),
    timestamp: moment("When it was recorded"),
    requestId: z.string().describe("The request, as its answer named it."),
    user: z.string().describe("E-mail address of who did it; empty for the server itself."),
    action: z.string().describe("What was done."),
    resourceType: z.string().describe("Kind of what it was done to."),
    resourceName: z.string().describe("Name of what it was done to."),
    resourceNamespace: z.string().describe("Its namespace; empty when it has none."),
    teamRef: z.string().describe("Its team; empty when it has none."),
    httpMethod: z.string().describe("Method of the request."),
    path: z.string().describe("Path of the request."),
    statusCode: z.int().describe("Status of the answer; 0 when it is not known."),
    success: z.boolean().describe("Whether it succeeded."),
    outcome: z
      .enum(["success", "failure", "unknown"])
      .describe("What came of it; `unknown` when the server ended before it could say."),
    code: z.string().describe("Code of the problem; empty when there was none."),
    fields: z.array(z.string()).describe("Paths of the fields that the request named, never their values."),
    sourceIP: z.string().describe("Address that the request came from."),
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
  entries: z.array(auditEntry).describe("The records of this page, newest first."),
  nextCursor: z.string().optional().describe("Where the next page begins; absent on the last one."),
});

export const listAudit = defineRoute({
  id: "audit.query",
  method: "GET",
  path: "/api/admin/audit",
  summary: "Search the audit log, newest first",
  permission: onPlatform("viewer"),
  query: z.object({ team: filter("Team of what it was done to."), ...filters }),
  responses: { 200: entries },
  audit: "none",
});

export const listTeamAudit = defineRoute({
  id: "audit.ofTeam",
  method: "GET",
  path: "/api/teams/{team}/audit",
  summary: "Search what was done in a team, newest first",
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
  summary: "Copy the audit log as JSON lines, exactly as it is stored",
  description:
    "Each line has the SHA-256 of the line before it in its chain, so that a copy can be checked. The header " +
    "`x-butler-next-cursor` of the answer says where to go on, also for what is recorded later.",
  permission: onPlatform("viewer"),
  query: z.object({
    cursor: z.string().max(65_536).optional().describe("Where to go on: the header of the answer before."),
    limit: z.coerce
      .number<number | string>()
      .int()
      .min(1)
      .max(5_000)
      .default(1_000)
      .describe("Lines, 1 to 5000; 1000 when absent."),
  }),
  responses: { 200: z.string().describe("JSON objects, one per line.") },
  contentType: "text/plain",
  audit: { action: "export", kind: "AuditLog" },
});

export const verifyAudit = defineRoute({
  id: "audit.verify",
  method: "GET",
  path: "/api/admin/audit/verify",
  summary: "Check that nothing in the audit log was changed or taken away",
  permission: onPlatform("viewer"),
  responses: {
    200: z.object({
      isIntact: z.boolean().describe("Whether nothing was found."),
      chains: z
        .array(
          z.object({
            chain: z.string().describe("The chain: one per start of a server process."),
            firstNumber: z.int().describe("Number of the first record that is kept."),
            lastNumber: z.int().describe("Number of the last record that was found right."),
            isBeginningExpired: z.boolean().describe("Whether older records are no longer kept."),
            isEnded: z.boolean().describe("Whether its process ended in good order; false while it runs."),
            break: z
              .object({
                number: z.int().describe("Record at which it shows."),
                reason: z.enum(["changed", "missing", "unreadable", "cut"]).describe("What is wrong there."),
              })
              .optional()
              .describe("What is wrong with it; absent when nothing is."),
          }),
        )
        .describe("Every chain."),
    }),
  },
  audit: "none",
});

/** Every route about the audit log. */
export const auditRoutes = [listAudit, listTeamAudit, exportAudit, verifyAudit] as const;
