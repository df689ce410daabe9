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

/** What was asked of whom, for messages. */
export interface CallContext {
  /** `Auth/UserGet`, for example. */
  readonly action: string;
  readonly endpoint: string;
  /** The limit of the whole call. An attempt's own share differs from time to time and would make messages differ. */
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

const isFull = "NOSPACE: the store has used up its quota and takes no more writes";
const fullHint =
  "Compact and defragment every member, then disarm the alarm; give etcd a larger --quota-backend-bytes if it fills up again.";
const rootHint = "Administer the store with a client certificate whose common name is root.";

/**
 * etcd's own errors, recognised by code and text together. Nothing else counts as one of these: a gateway that answers
 * "not found" or a connection that breaks says nothing about users and roles.
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
    says: "the client certificate names no user",
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
    says: "CORRUPT: the members' data differ",
    hint: "Replace the damaged member, or restore a backup, before anything else is written.",
  }),
];

function known(code: keyof typeof status, text: string, rest: Omit<KnownError, "code" | "details">): KnownError {
  return { code: status[code], details: `etcdserver: ${text}`, ...rest };
}

/** The typed error for a call that failed. Its message is the same each time, so that it can stand in a status. */
export function errorFromCall({ code, details }: CallFailure, context: CallContext): ButlerError {
  const match = knownErrors.find((one) => one.code === code && one.details === details);
  const about = `etcd at ${context.endpoint}`;
  // etcd says the same of a caller that it does not know; only calls about users leave a doubt who is meant.
  if (match?.reason === "UserNotFound" && !context.action.startsWith("Auth/User")) {
    return new Forbidden(`${about}: it does not know the user that our certificate names`, {
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
    return new Unavailable(`${about} did not answer in time (a call may take ${context.callLimitMs} ms)`, {
      details: { reason: "Timeout" },
      hint: "Look at the load and the disk of the store's members and at the network between.",
    });
  }
  if (code === status.UNAVAILABLE) return unavailable(about, connectionCause(details));
  const options = { details: { reason: "Unexpected", grpcCode: code } };
  const message = `${about}: ${context.action}: ${details || `gRPC code ${code}`}`;
  return code === status.INVALID_ARGUMENT ? new InvalidInput(message, options) : new Unavailable(message, options);
}

/** The error of a store that is full, for where its alarm is seen before a write fails. */
export function storeIsFull(endpoint: string): Unavailable {
  return new Unavailable(`etcd at ${endpoint}: ${isFull}`, { details: { reason: "NoSpace" }, hint: fullHint });
}

/** Whether the error is etcd's own statement with the given reason. */
export function hasReason(error: unknown, ...reasons: readonly string[]): boolean {
  const isOurs = error instanceof Error && "details" in error;
  const reason = isOurs ? (error.details as Readonly<Record<string, unknown>>)["reason"] : undefined;
  return typeof reason === "string" && reasons.includes(reason);
}

/** Whether another member may answer what this one could not. */
export function mayAnotherMemberAnswer(error: unknown): boolean {
  return error instanceof Unavailable && !hasReason(error, "NoSpace", "Corrupt");
}

const certificateTrouble = /certificate|alert|altname|EPROTO|SSL|TLS/i;

function unavailable(about: string, cause: string): Unavailable {
  const hint = certificateTrouble.test(cause)
    ? "Check that the store's certificate names this endpoint and comes from the given authority, and that the client certificate comes from the one that the store trusts."
    : "Check that the store's members run and that the endpoints are right.";
  return new Unavailable(`${about} cannot be reached: ${cause}`, { details: { reason: "Unreachable" }, hint });
}

/** The heart of gRPC's text about a connection that did not come about. */
function connectionCause(details: string): string {
  const last = /Last error: (?:Error: )?(.*?)(?:\. Resolution note: .*)?$/s.exec(details)?.[1] ?? details;
  // OpenSSL puts a number of the thread in front, which would make each message differ.
  return last
    .replace(/^[0-9A-F]{8,}:error:/, "error:")
    .replaceAll(/\s*[\r\n]+\s*/g, " ")
    .trim();
}
