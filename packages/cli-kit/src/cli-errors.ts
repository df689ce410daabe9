import { ButlerError, type ButlerErrorOptions, describeError, InvalidInput } from "@butler/std";
import { printable } from "./printable.ts";

/** The codes that a command ends with. */
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

/** The words of the command line do not go together. */
export class UsageError extends InvalidInput {
  override readonly code = "USAGE";
}

/** The person, or the system, has asked the command to stop. */
export class Interrupted extends ButlerError {
  readonly code = "INTERRUPTED";
  readonly httpStatus = 499;
  readonly isRetryable = true;

  constructor(message = "interrupted", options: ButlerErrorOptions = {}) {
    super(message, options);
  }
}

/** A command has printed all there is to say, and only its code tells that things are not well. */
export class QuietFailure extends Error {
  readonly exitCode: number;

  constructor(exitCode: number = exitCodes.failure) {
    super("the command has said what is wrong");
    this.exitCode = exitCode;
  }
}

/** By the HTTP status that each error class has, so that a class somebody adds has a code, too. */
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

/** Where the status says less than the error's own code: somebody has said no to a sign-in. */
const codesByName: Readonly<Record<string, number>> = { ACCESS_DENIED: exitCodes.refused };

/** The code that a command ends with after an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof QuietFailure) return error.exitCode;
  if (!(error instanceof ButlerError)) return exitCodes.failure;
  if (error instanceof Interrupted) {
    return error.details["signal"] === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted;
  }
  if (error instanceof UsageError) return exitCodes.usage;
  // What a server would not take was refused, by a schema, a policy or a limit; other input is wrong before it is sent.
  if (error instanceof InvalidInput && typeof error.details["status"] === "number") return exitCodes.refused;
  return codesByName[error.code] ?? codesByStatus[error.httpStatus] ?? exitCodes.failure;
}

/** What to do next where an error does not say it, by its code. */
const nextSteps: Readonly<Record<string, string>> = {
  BUG: "Please report this, with the command and its output under --verbose.",
  CONFLICT: "Somebody else has changed it meanwhile. Look at it again, then repeat the command.",
  FORBIDDEN: "Ask whoever runs the platform for this right.",
  THROTTLED: "The server has too much to do. Try again in a moment.",
  TIMEOUT: "Try again in a moment; --verbose shows what is asked and answered.",
  UNAVAILABLE: "Try again in a moment; --verbose shows what is asked and answered.",
};

/** An error for people, line by line: what happened and from what it came, then what to do next. */
export function explainError(error: unknown): string[] {
  if (!(error instanceof ButlerError)) return [printable(describeError(error))];
  const message = error.message.split("\n").map((line) => indentationOf(line) + printable(line));
  const cause = error.cause === undefined ? "" : printable(describeError(error.cause));
  // A cause whose words are in the message already says nothing new.
  const isNew = cause !== "" && !message.some((line) => line.includes(cause));
  const next = error.hint ?? nextSteps[error.code];
  return [...message, ...(isNew ? [`  because: ${cause}`] : []), ...(next === undefined ? [] : [next])];
}

function indentationOf(line: string): string {
  return " ".repeat(line.length - line.trimStart().length);
}
