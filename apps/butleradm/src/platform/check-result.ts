import { printable, type Paint, type Style } from "@butler/cli-kit";

/** Severity of a check result. `warning` does not block anything; `fault` does. */
export type Severity = "ok" | "warning" | "fault";

/** The result of a check, with a remedy. */
export interface CheckResult {
  /** Identifies the check, for programs. */
  readonly check: string;
  readonly severity: Severity;
  readonly says: string;
  /** What to do; absent when the check passed. */
  readonly remedy?: string;
}

const styles: Readonly<Record<Severity, Style>> = { ok: "good", warning: "busy", fault: "bad" };
const words: Readonly<Record<Severity, string>> = { ok: "ok     ", warning: "warning", fault: "FAULT  " };

/** Results as text, with each remedy below its result. */
export function renderResults(results: readonly CheckResult[], paint: Paint): string[] {
  return results.flatMap(({ severity, says, remedy }) => [
    `${paint(styles[severity], words[severity])}  ${printable(says)}`,
    ...(remedy === undefined ? [] : [`         ${printable(remedy)}`]),
  ]);
}

/** The highest severity. */
export function worstOf(results: readonly CheckResult[]): Severity {
  const severities = new Set(results.map(({ severity }) => severity));
  if (severities.has("fault")) return "fault";
  return severities.has("warning") ? "warning" : "ok";
}

/** A passed check. */
export function fine(check: string, says: string): CheckResult {
  return { check, severity: "ok", says };
}
