import { status } from "@grpc/grpc-js";
import {
  type ButlerError,
  type ButlerErrorOptions,
  Conflict,
  Forbidden,
  InvalidInput,
  NotFound,
  Unauthenticated,
  Unavailable,
} from "@butler/std";

/** What gRPC reports when a call did not succeed. */
export interface CallFailure {
  readonly code: status;
  readonly details: string;
}

/** The call and its target, for messages. */
export interface CallContext {
  /** `Auth/UserGet`, for example. */
  readonly action: string;
  readonly endpoint: string;
  /** The timeout of the whole call. The share of an attempt varies and would make messages unstable. */
  readonly callLimitMs: number;
}

interface KnownError {
  readonly code: status;
  readonly details: string;
  readonly reason: string;
  readonly error: new (message: string, options: ButlerErrorOptions) => ButlerError;
  readonly says?: string;
  readonly hint?: string;
}

const isFull = "NOSPACE: the store has exceeded its quota and rejects writes";
const fullHint =
  "Compact and defragment every member, then disarm the alarm. If the database fills up again, increase --quota-backend-bytes.";
const rootHint = "Use a client certificate whose common name is root.";

/**
 * etcd's own errors, recognised by code and text together. Nothing else counts as one of these: a proxy that responds
 * "not found" or an interrupted connection says nothing about users and roles.
 */
const knownErrors: readonly KnownError[] = [
  known("FAILED_PRECONDITION", "user name not found", { reason: "UserNotFound", error: NotFound }),
  known("FAILED_PRECONDITION", "role name not found", { reason: "RoleNotFound", error: NotFound }),
  known("FAILED_PRECONDITION", "role is not granted to the user", { reason: "RoleNotGranted", error: NotFound }),
  known("FAILED_PRECONDITION", "permission is not granted to the role", {
    reason: "PermissionNotGranted",
    error: NotFound,
  }),
  known("FAILED_PRECONDITION", "user name already exists", { reason: "UserExists", error: Conflict }),
  known("FAILED_PRECONDITION", "role name already exists", { reason: "RoleExists", error: Conflict }),
  known("PERMISSION_DENIED", "permission denied", { reason: "PermissionDenied", error: Forbidden, hint: rootHint }),
  known("INVALID_ARGUMENT", "user name is empty", {
    reason: "NoUser",
    error: Unauthenticated,
    says: "the client certificate has no user name",
    hint: rootHint,
  }),
  known("INVALID_ARGUMENT", "revision of auth store is old", { reason: "AccessRulesChanged", error: Conflict }),
  known("RESOURCE_EXHAUSTED", "mvcc: database space exceeded", {
    reason: "NoSpace",
    error: Unavailable,
    says: isFull,
    hint: fullHint,
  }),
  known("DATA_LOSS", "corrupt cluster", {
    reason: "Corrupt",
    error: Unavailable,
    says: "CORRUPT: the data differs between members",
    hint: "Replace the corrupt member or restore a backup before any further writes.",
  }),
];

function known(code: keyof typeof status, text: string, rest: Omit<KnownError, "code" | "details">): KnownError {
  return { code: status[code], details: `etcdserver: ${text}`, ...rest };
}

/** The typed error for a failed call. Its message is stable, so that it can be used in a status. */
export function errorFromCall({ code, details }: CallFailure, context: CallContext): ButlerError {
  const match = knownErrors.find((one) => one.code === code && one.details === details);
  const about = `etcd at ${context.endpoint}`;
  // etcd reports the same for an unknown caller; only calls about users are ambiguous.
  if (match?.reason === "UserNotFound" && !context.action.startsWith("Auth/User")) {
    return new Forbidden(`${about}: unknown user in the client certificate`, {
      details: { reason: "UnknownCaller" },
      hint: rootHint,
    });
  }
  if (match !== undefined) {
    const { reason, hint } = match;
    const message = `${about}: ${context.action}: ${match.says ?? details.replace("etcdserver: ", "")}`;
    return new match.error(message, { details: { reason }, ...(hint === undefined ? {} : { hint }) });
  }
  if (code === status.DEADLINE_EXCEEDED) {
    return new Unavailable(`${about} timed out (limit per call: ${context.callLimitMs} ms)`, {
      details: { reason: "Timeout" },
      hint: "Check the load and disks of the etcd members, and the network connection to them.",
    });
  }
  if (code === status.UNAVAILABLE) return unavailable(about, connectionCause(details));
  const options = { details: { reason: "Unexpected", grpcCode: code } };
  const message = `${about}: ${context.action}: ${details || `gRPC code ${code}`}`;
  return code === status.INVALID_ARGUMENT ? new InvalidInput(message, options) : new Unavailable(message, options);
}

/** The error of a full store, for when its alarm is seen before a write fails. */
export function storeIsFull(endpoint: string): Unavailable {
  return new Unavailable(`etcd at ${endpoint}: ${isFull}`, { details: { reason: "NoSpace" }, hint: fullHint });
}

/** Whether the error was reported by etcd with the given reason. */
export function hasReason(error: unknown, ...reasons: readonly string[]): boolean {
  const isOurs = error instanceof Error && "details" in error;
  const reason = isOurs ? (error.details as Readonly<Record<string, unknown>>)["reason"] : undefined;
  return typeof reason === "string" && reasons.includes(reason);
}

/** Whether another member may succeed. */
export function mayAnotherMemberAnswer(error: unknown): boolean {
  return error instanceof Unavailable && !hasReason(error, "NoSpace", "Corrupt");
}

const certificateError = /certificate|alert|altname|EPROTO|SSL|TLS/i;

function unavailable(about: string, cause: string): Unavailable {
  const hint = certificateError.test(cause)
    ? "Check that the server certificate covers this endpoint and is signed by the given CA, and that the client certificate is signed by a CA that etcd trusts."
    : "Check that the etcd members are running and that the endpoints are correct.";
  return new Unavailable(`${about} is unreachable: ${cause}`, { details: { reason: "Unreachable" }, hint });
}

/** The cause in gRPC's message about a failed connection. */
function connectionCause(details: string): string {
  const last = /Last error: (?:Error: )?(.*?)(?:\. Resolution note: .*)?$/s.exec(details)?.[1] ?? details;
  // OpenSSL adds a thread ID prefix, which would make messages unstable.
  return last
    .replace(/^[0-9A-F]{8,}:error:/, "error:")
    .replaceAll(/\s*[\r\n]+\s*/g, " ")
    .trim();
}
