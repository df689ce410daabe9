import { isRecord } from "@butler/std";
import { z } from "zod";

/** Every code that an answer other than the wanted one can carry: what happened, for programs. They never change. */
export const problemCodes = {
  INVALID: { status: 400, title: "The request is not as it should be" },
  AUTHORIZATION_PENDING: { status: 400, title: "Nobody has approved yet" },
  SLOW_DOWN: { status: 400, title: "Ask less often" },
  ACCESS_DENIED: { status: 400, title: "The request was turned down" },
  EXPIRED_TOKEN: { status: 400, title: "The code is no longer valid" },
  INVALID_GRANT: { status: 400, title: "The token is not valid" },
  UNAUTHENTICATED: { status: 401, title: "Nobody is signed in" },
  FORBIDDEN: { status: 403, title: "This is not allowed to you" },
  CSRF_FAILED: { status: 403, title: "The request does not come from Butler's own pages" },
  NOT_FOUND: { status: 404, title: "There is no such thing" },
  METHOD_NOT_ALLOWED: { status: 405, title: "This cannot be done here" },
  CONFLICT: { status: 409, title: "Somebody else was faster" },
  ALREADY_EXISTS: { status: 409, title: "There is one of that name" },
  GONE: { status: 410, title: "This is over" },
  BODY_TOO_LARGE: { status: 413, title: "The body is too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "The body is not JSON" },
  REFUSED: { status: 422, title: "The platform's rules refuse this" },
  RATE_LIMITED: { status: 429, title: "Too many requests" },
  HEADERS_TOO_LARGE: { status: 431, title: "The address and the headers are too large" },
  INTERNAL: { status: 500, title: "Something is wrong with the server" },
  TENANT_UNREACHABLE: { status: 502, title: "The tenant cluster does not answer" },
  UNAVAILABLE: { status: 503, title: "This cannot be done at the moment" },
  TIMEOUT: { status: 504, title: "This took too long" },
} as const;

/** Codes that OAuth 2.0 has names for; clients of the device flow look for them in the member `error`. */
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
  field: z.string().describe("Path of the field; empty when the whole is meant."),
  reason: z.string().describe("The reason in a word for programs, such as QUOTA or REQUIRED."),
  message: z.string().describe("The reason as a sentence."),
});

/** What every answer that is not the wanted one looks like (RFC 9457). */
export const problem = z
  .object({
    type: z.string().describe("The kind of problem as an address: `/api/docs#problem-` and the code in lower case."),
    title: z.string().describe("The kind of problem for people; the same for every problem with the code."),
    status: z.int().describe("The HTTP status."),
    code: z.enum(codes).describe("The kind of problem for programs. Codes are never renamed."),
    detail: z.string().describe("What happened this time, as a sentence."),
    error: z
      .string()
      .optional()
      .describe("The code in the form of OAuth 2.0 (RFC 6749, RFC 8628), on the routes of the device flow."),
    hint: z.string().optional().describe("What to do about it, where there is something to do."),
    field: z.string().optional().describe("The first field at fault, as a path such as `spec.workers.replicas`."),
    reason: z.string().optional().describe("Why that field is at fault, in a word: QUOTA, IMMUTABLE, REQUIRED..."),
    errors: z.array(cause).optional().describe("Every fault that was found, when there are fields at fault."),
    requestId: z.string().describe("Names this request in the server's log and in the audit log."),
  })
  .meta({
    id: "Problem",
    description: "What went wrong (RFC 9457), with a code that programs can rely on.",
    examples: [
      {
        type: "/api/docs#problem-refused",
        title: "The platform's rules refuse this",
        status: 422,
        code: "REFUSED",
        detail: "team payments: maxClusters is 5, 5 in use, 1 more asked for; free some, or ask for a higher limit",
        field: "spec",
        reason: "QUOTA",
        requestId: "01JD2T7B0N",
      },
    ],
  });
export type Problem = z.output<typeof problem>;

/** The problem that an answer tells; undefined when it tells none. Without the schema, which browsers need not have. */
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
