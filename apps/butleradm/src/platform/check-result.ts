import { printable, type Paint, type Style } from "@butler/cli-kit";

/** What a check came to. `warning` lets things go on; `fault` does not. */
export type Severity = "ok" | "warning" | "fault";

/** One thing that was looked at, what was found, and what to do about it. */
export interface CheckResult {
  /** What was looked at, as one word for programs. */
  readonly check: string;
  readonly severity: Severity;
  readonly says: string;
  /** What to do; absent when all is well. */
  readonly remedy?: string;
}

const styles: Readonly<Record<Severity, Style>> = { ok: "good", warning: "busy", fault: "bad" };
const words: Readonly<Record<Severity, string>> = { ok: "ok     ", warning: "warning", fault: "FAULT  " };

/** Results for people, line by line, each remedy below what it is for. */
export function renderResults(results: readonly CheckResult[], paint: Paint): string[] {
  return results.flatMap(({ severity, says, remedy }) => [
    `${paint(styles[severity], words[severity])}  ${printable(says)}`,
    ...(remedy === undefined ? [] : [`         ${printable(remedy)}`]),
  ]);
}

/** The worst that was found. */
export function worstOf(results: readonly CheckResult[]): Severity {
  const severities = new Set(results.map(({ severity }) => severity));
  if (severities.has("fault")) return "fault";
  return severities.has("warning") ? "warning" : "ok";
}

/** A check that found nothing wrong. */
export function fine(check: string, says: string): CheckResult {
  return { check, severity: "ok", says };
}
