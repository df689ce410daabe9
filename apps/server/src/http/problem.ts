import { oauthCodes, type Problem, type ProblemCode, problemCodes } from "@butler/contract";
import { AlreadyExists, Gone, type RefusalCause, refusalCauses, Throttled } from "@butler/kube";
import {
  ButlerError,
  Conflict,
  Forbidden,
  InvalidInput,
  NotFound,
  Timeout,
  Unauthenticated,
  Unavailable,
} from "@butler/std";
import { TenantUnreachable } from "@butler/tenant-clients";
import { z } from "zod";

/** A problem that a part of the server detected. */
export class RouteProblem extends ButlerError {
  readonly code: ProblemCode;
  readonly httpStatus: number;
  readonly isRetryable: boolean = false;
  readonly causes: readonly RefusalCause[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ProblemCode,
    message: string,
    options: {
      readonly hint?: string;
      readonly causes?: readonly RefusalCause[];
      readonly retryAfterSeconds?: number;
    } = {},
  ) {
    super(message, options.hint === undefined ? {} : { hint: options.hint });
    this.code = code;
    this.httpStatus = problemCodes[code].status;
    this.causes = options.causes ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

type Facts = Pick<Problem, "code" | "detail" | "hint" | "errors">;

/** The problem to return for an error, without internal details. */
export function problemOf(error: unknown, requestId: string): Problem {
  const { code, detail, hint, errors = [] } = factsOf(error);
  const { status, title } = problemCodes[code];
  const [first] = errors;
  return {
    type: `/api/docs#problem-${code.toLowerCase()}`,
    title,
    status,
    code,
    detail,
    ...(oauthCodes.has(code) ? { error: code.toLowerCase() } : {}),
    ...(hint === undefined ? {} : { hint }),
    ...(first === undefined ? {} : { field: first.field, reason: first.reason, errors }),
    requestId,
  };
}

function factsOf(error: unknown): Facts {
  if (error instanceof RouteProblem) return withCauses(error.code, error, error.causes);
  if (error instanceof z.ZodError) return invalidFields(error);
  if (error instanceof ButlerError) return fromKubernetes(error) ?? fromClass(error);
  return fromFramework(error) ?? { code: "INTERNAL", detail: "internal error; see the server log" };
}

/** The problem for an error response of the API server. */
function fromKubernetes(error: ButlerError): Facts | undefined {
  const status = error.details["status"];
  if (typeof status !== "number") return undefined;
  const causes = refusalCauses(error);
  const unknown = unknownFields(error.message);
  if (unknown.length > 0)
    return withCauses("INVALID", { message: unknown.map(({ message }) => message).join("; ") }, unknown);
  const isWebhook = /admission webhook "[^"]*" denied the request/.test(error.message);
  if (status === 422 || isWebhook) return withCauses("REFUSED", refusalText(error, causes), causes);
  // The server's own credentials were rejected; the caller cannot fix that.
  if (status === 401) return unavailable;
  if (status === 403 && /cannot impersonate resource/.test(error.message)) return notKnownYet;
  if (status === 403) {
    return {
      code: "FORBIDDEN",
      detail: afterAction(error.message),
      hint: "Ask a team admin for access.",
    };
  }
  return undefined;
}

/** Kubernetes' RBAC includes new accounts and teams shortly after they are created. */
const notKnownYet: Facts = {
  code: "UNAVAILABLE",
  detail: "your Kubernetes permissions are not set up yet",
  hint: "Retry in a second.",
};

const unavailable: Facts = { code: "UNAVAILABLE", detail: "the Kubernetes API is unavailable" };

const classes: readonly (readonly [new (...input: never[]) => ButlerError, ProblemCode])[] = [
  [TenantUnreachable, "TENANT_UNREACHABLE"],
  [AlreadyExists, "ALREADY_EXISTS"],
  [Conflict, "CONFLICT"],
  [NotFound, "NOT_FOUND"],
  [Gone, "GONE"],
  [Forbidden, "FORBIDDEN"],
  [Unauthenticated, "UNAUTHENTICATED"],
  [InvalidInput, "INVALID"],
  [Timeout, "TIMEOUT"],
];

function fromClass(error: ButlerError): Facts {
  const code = classes.find(([type]) => error instanceof type)?.[1];
  if (code === "TIMEOUT") return { code, detail: "the request timed out" };
  if (code === "TENANT_UNREACHABLE") return { code, detail: "the tenant cluster's API server is not responding" };
  if (code !== undefined) return { code, detail: afterAction(error.message), ...hintOf(error) };
  if (error instanceof Throttled || error instanceof Unavailable) return unavailable;
  return { code: "INTERNAL", detail: "internal error; see the server log" };
}

/** Problems that the HTTP framework detects before our code runs. */
function fromFramework(error: unknown): Facts | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return { code: "BODY_TOO_LARGE", detail: "the request body exceeds 256 KiB" };
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return {
      code: "UNSUPPORTED_MEDIA_TYPE",
      detail: "the request body must be JSON with content-type application/json",
    };
  }
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 400) return { code: "INVALID", detail: "the request is malformed" };
  // Thrown by the request timeout.
  if (error instanceof DOMException && error.name === "TimeoutError")
    return { code: "TIMEOUT", detail: "the request timed out" };
  return undefined;
}

function invalidFields({ issues }: z.ZodError): Facts {
  const causes = issues.map(({ path, code, message, ...rest }) => {
    const keys = "keys" in rest && Array.isArray(rest.keys) ? rest.keys.map(String) : [];
    const field = [...path, ...keys.slice(0, 1)].join(".");
    const reason = code === "unrecognized_keys" ? "UNKNOWN_FIELD" : code.toUpperCase();
    return { field, reason, message: field === "" ? message : `${field}: ${message}` };
  });
  return withCauses("INVALID", { message: causes.map(({ message }) => message).join("; ") }, causes);
}

function withCauses(
  code: ProblemCode,
  { message, hint }: { readonly message: string; readonly hint?: string | undefined },
  causes: readonly RefusalCause[],
): Facts {
  return {
    code,
    detail: message,
    ...(hint === undefined ? {} : { hint }),
    ...(causes.length === 0 ? {} : { errors: [...causes] }),
  };
}

/** Unknown or duplicate fields. The API server repeats the whole request before it names them. */
function unknownFields(message: string): RefusalCause[] {
  const [, found = ""] = /strict decoding error: (.+)$/s.exec(message) ?? [];
  return [...found.matchAll(/(unknown|duplicate) field "([^"]+)"/g)].map(([, what = "", field = ""]) => ({
    field,
    reason: `${what.toUpperCase()}_FIELD`,
    message: `${field}: ${what} field`,
  }));
}

function refusalText({ message }: ButlerError, causes: readonly RefusalCause[]): { message: string } {
  const said = /denied the request: (.+)$/s.exec(message)?.[1];
  const ofCauses = causes.map((cause) => (cause.field === "" ? cause.message : `${cause.field}: ${cause.message}`));
  return { message: said ?? (ofCauses.join("; ") || afterAction(message)) };
}

/** Errors of the client begin with the Kubernetes request, which is not the request of the user. */
function afterAction(message: string): string {
  return message.replace(/^(get|list|watch|create|replace|apply|patch|delete) \S+(?: \S+)?: /, "");
}

function hintOf({ hint }: ButlerError): { hint?: string } {
  return hint === undefined ? {} : { hint };
}
