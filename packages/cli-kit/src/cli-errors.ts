import { ButlerError, type ButlerErrorOptions, describeError, InvalidInput } from "@butler/std";
import { printable } from "./printable.ts";

/** The codes that a command ends with. */
export const exitCodes = { success: 0, failure: 1, usage: 2, interrupted: 130 } as const;

/** The words of the command line do not go together. */
export class UsageError extends InvalidInput {
  override readonly code = "USAGE";
}

/** The person has asked the command to stop. */
export class Interrupted extends ButlerError {
  readonly code = "INTERRUPTED";
  readonly httpStatus = 499;
  readonly isRetryable = true;

  constructor(message = "interrupted", options: ButlerErrorOptions = {}) {
    super(message, options);
  }
}

/** The code that a command ends with after an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return exitCodes.interrupted;
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failure;
}

/** An error for people, line by line: what happened and from what it came, then what to do next. */
export function explainError(error: unknown): string[] {
  if (!(error instanceof ButlerError)) return [printable(describeError(error))];
  const message = error.message.split("\n").map((line) => indentationOf(line) + printable(line));
  const cause = error.cause === undefined ? "" : printable(describeError(error.cause));
  // A cause whose words are in the message already says nothing new.
  const isNew = cause !== "" && !message.some((line) => line.includes(cause));
  return [...message, ...(isNew ? [`  because: ${cause}`] : []), ...(error.hint === undefined ? [] : [error.hint])];
}

function indentationOf(line: string): string {
  return " ".repeat(line.length - line.trimStart().length);
}
