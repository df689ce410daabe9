import { isRecord } from "@butler/std";
import { z } from "zod";

/** Every code of an error response: the machine-readable kind of problem. Codes never change. */
export const problemCodes = {
  INVALID: { status: 400, title: "Invalid request" },
  AUTHORIZATION_PENDING: { status: 400, title: "Authorization pending" },
  SLOW_DOWN: { status: 400, title: "Polling too often" },
  ACCESS_DENIED: { status: 400, title: "Sign-in request denied" },
  EXPIRED_TOKEN: { status: 400, title: "Code expired" },
  INVALID_GRANT: { status: 400, title: "Invalid token" },
  UNAUTHENTICATED: { status: 401, title: "Sign-in required" },
  FORBIDDEN: { status: 403, title: "Permission denied" },
  CSRF_FAILED: { status: 403, title: "CSRF check failed" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "Method not allowed" },
  CONFLICT: { status: 409, title: "Conflict with the current state" },
  ALREADY_EXISTS: { status: 409, title: "Already exists" },
  GONE: { status: 410, title: "No longer available" },
  BODY_TOO_LARGE: { status: 413, title: "Request body too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "Request body is not JSON" },
  REFUSED: { status: 422, title: "Rejected by platform rules" },
  RATE_LIMITED: { status: 429, title: "Too many requests" },
  HEADERS_TOO_LARGE: { status: 431, title: "URL and headers too large" },
  INTERNAL: { status: 500, title: "Internal server error" },
  TENANT_UNREACHABLE: { status: 502, title: "Tenant cluster unreachable" },
  UNAVAILABLE: { status: 503, title: "Temporarily unavailable" },
  TIMEOUT: { status: 504, title: "Request timed out" },
} as const;

/** Codes with an OAuth 2.0 equivalent; clients of the device flow read them from `error`. */
export const oauthCodes: ReadonlySet<string> = new Set([
  "AUTHORIZATION_PENDING",
  "SLOW_DOWN",
  "ACCESS_DENIED",
  "EXPIRED_TOKEN",
  "INVALID_GRANT",
]);

/** A code of a problem. */
export type ProblemCode = keyof typeof problemCodes;

const codes = Object.keys(problemCodes) as [ProblemCode, ...ProblemCode[]];

const cause = z.object({
  field: z.string().describe("Path of the field. Empty if the whole object is invalid."),
  reason: z.string().describe("Machine-readable reason, such as QUOTA or REQUIRED."),
  message: z.string().describe("Human-readable reason."),
});

/** The body of every error response (RFC 9457). */
export const problem = z
  .object({
    type: z.string().describe("URI of the problem type: `/api/docs#problem-` followed by the lowercase code."),
    title: z.string().describe("Short summary of the problem type, the same for every problem with this code."),
    status: z.int().describe("HTTP status code."),
    code: z.enum(codes).describe("Machine-readable problem type. Codes are never renamed."),
    detail: z.string().describe("Explanation specific to this occurrence of the problem."),
    error: z.string().optional().describe("OAuth 2.0 error code (RFC 6749, RFC 8628). Only on device flow routes."),
    hint: z.string().optional().describe("How to fix the problem, if known."),
    field: z.string().optional().describe("Path of the first invalid field, such as `spec.workers.replicas`."),
    reason: z
      .string()
      .optional()
      .describe("Machine-readable reason why the field is invalid, such as QUOTA or IMMUTABLE."),
    errors: z.array(cause).optional().describe("All validation errors, if fields are invalid."),
    requestId: z.string().describe("ID of the request in the server log and the audit log."),
  })
  .meta({
    id: "Problem",
    description: "Problem details (RFC 9457) with a stable, machine-readable code.",
    examples: [
      {
        type: "/api/docs#problem-refused",
        title: "Rejected by platform rules",
        status: 422,
        code: "REFUSED",
        detail: "team payments: maxClusters is 5, 5 in use, 1 more requested; reduce usage or request a higher limit",
        field: "spec",
        reason: "QUOTA",
        requestId: "01JD2T7B0N",
      },
    ],
  });
export type Problem = z.output<typeof problem>;

/**
 * The problem in a response body; undefined if it has none. Works without the schema, so that browsers need not load
 * it.
 */
export function readProblem(answer: unknown): Problem | undefined {
  if (!isRecord(answer)) return undefined;
  const { type, title, status, code, detail, error, hint, field, reason, errors, requestId } = answer;
  const isText = (value: unknown): boolean => typeof value === "string";
  const isWhole =
    [type, title, detail, requestId].every(isText) &&
    [error, hint, field, reason].every((value) => value === undefined || isText(value)) &&
    Number.isSafeInteger(status) &&
    typeof code === "string" &&
    Object.hasOwn(problemCodes, code) &&
    (errors === undefined || (Array.isArray(errors) && errors.every(isCause)));
  return isWhole ? (answer as Problem) : undefined;
}

function isCause(value: unknown): boolean {
  return isRecord(value) && ["field", "reason", "message"].every((name) => typeof value[name] === "string");
}
