import { ButlerError, describeError } from "@butler/std";

/** The whole of an error for a person: its message with all its lines, its causes, and what to do. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return describeError(error);
  const causes = error.cause === undefined ? "" : `: ${describeError(error.cause)}`;
  const hint = error instanceof ButlerError && error.hint !== undefined ? `\n${error.hint}` : "";
  return `${error.message}${causes}${hint}`;
}

/** The first line of it, for places that have only one. */
export function summarizeError(error: unknown): string {
  return explainError(error).split("\n")[0] ?? "";
}
