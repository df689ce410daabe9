import { ButlerError, describeError } from "@butler/std";

/** The full text of an error for users: its message with all its lines, its causes, and the hint. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return describeError(error);
  const causes = error.cause === undefined ? "" : `: ${describeError(error.cause)}`;
  const hint = error instanceof ButlerError && error.hint !== undefined ? `\n${error.hint}` : "";
  return `${error.message}${causes}${hint}`;
}

/** Its first line, for places with room for only one. */
export function summarizeError(error: unknown): string {
  return explainError(error).split("\n")[0] ?? "";
}
