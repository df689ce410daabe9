import { ButlerError, type ButlerErrorOptions, describeError, InvalidInput } from "@butler/std";
import { printable } from "./printable.ts";

/** Exit codes of the commands. */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  conflict: 5,
  unavailable: 6,
  interrupted: 130,
  terminated: 143,
} as const;

/** The combination of arguments and flags is invalid. */
export class UsageError extends InvalidInput {
  override readonly code = "USAGE";
}

/** The user or the system asked the command to stop. */
export class Interrupted extends ButlerError {
  readonly code = "INTERRUPTED";
  readonly httpStatus = 499;
  readonly isRetryable = true;

  constructor(message = "interrupted", options: ButlerErrorOptions = {}) {
    super(message, options);
  }
}

/** A command has printed its result, and reports the failure by its exit code alone. */
export class QuietFailure extends Error {
  readonly exitCode: number;

  constructor(exitCode: number = exitCodes.failure) {
    super("the command has already reported the failure");
    this.exitCode = exitCode;
  }
}

/** Keyed by the HTTP status of the error class, so that new error classes have an exit code, too. */
const codesByStatus: Readonly<Record<number, number>> = {
  401: exitCodes.refused,
  403: exitCodes.refused,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  410: exitCodes.unavailable,
  429: exitCodes.unavailable,
  502: exitCodes.unavailable,
  503: exitCodes.unavailable,
  504: exitCodes.unavailable,
};

/** Error codes that are more specific than their status: a denied sign-in request. */
const codesByName: Readonly<Record<string, number>> = { ACCESS_DENIED: exitCodes.refused };

/** The exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof QuietFailure) return error.exitCode;
  if (!(error instanceof ButlerError)) return exitCodes.failure;
  if (error instanceof Interrupted) {
    return error.details["signal"] === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted;
  }
  if (error instanceof UsageError) return exitCodes.usage;
  // Input with a status was rejected by the server's schema, policy or limit; other input is invalid before it is sent.
  if (error instanceof InvalidInput && typeof error.details["status"] === "number") return exitCodes.refused;
  return codesByName[error.code] ?? codesByStatus[error.httpStatus] ?? exitCodes.failure;
}

/** Default hints by error code. */
const nextSteps: Readonly<Record<string, string>> = {
  BUG: "Report this bug, and include the command and its --verbose output.",
  CONFLICT: "Another client has modified the object. Check its current state, then run the command again.",
  FORBIDDEN: "Ask a platform administrator for access.",
  THROTTLED: "The server is throttling requests. Try again in a moment.",
  TIMEOUT: "Try again in a moment; use --verbose to log each request.",
  UNAVAILABLE: "Try again in a moment; use --verbose to log each request.",
};

/** An error for display, line by line: message, cause and hint. */
export function explainError(error: unknown): string[] {
  if (!(error instanceof ButlerError)) return [printable(describeError(error))];
  const message = error.message.split("\n").map((line) => indentationOf(line) + printable(line));
  const cause = error.cause === undefined ? "" : printable(describeError(error.cause));
  // A cause that is part of the message adds nothing.
  const isNew = cause !== "" && !message.some((line) => line.includes(cause));
  const next = error.hint ?? nextSteps[error.code];
  return [...message, ...(isNew ? [`  cause: ${cause}`] : []), ...(next === undefined ? [] : [next])];
}

function indentationOf(line: string): string {
  return " ".repeat(line.length - line.trimStart().length);
}
