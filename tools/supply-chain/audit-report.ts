import { isRecord } from "@butler/std";

/** The outcome of `npm audit --json`. */
export type AuditVerdict =
  | { readonly type: "clean" }
  | { readonly type: "vulnerable"; readonly found: readonly string[] }
  /** There was no report: without a network, or with a registry that has no advisories. */
  | { readonly type: "unavailable"; readonly why: string };

const severe: ReadonlySet<unknown> = new Set(["high", "critical"]);

/** Judges the output. Only high and critical advisories fail the check; the others are for the next update. */
export function judgeAudit(output: string): AuditVerdict {
  const report = parsed(output);
  const vulnerabilities = report?.["vulnerabilities"];
  if (!isRecord(vulnerabilities)) {
    const message = report?.["message"];
    return { type: "unavailable", why: typeof message === "string" ? message : "npm printed no report" };
  }
  const found = Object.entries(vulnerabilities).flatMap(([name, each]) => {
    if (!isRecord(each) || !severe.has(each["severity"])) return [];
    return [`${name}: ${String(each["severity"])}${advisoriesOf(each["via"])}`];
  });
  return found.length === 0 ? { type: "clean" } : { type: "vulnerable", found };
}

function parsed(output: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function advisoriesOf(via: unknown): string {
  const entries = (Array.isArray(via) ? (via as unknown[]) : []).filter(isRecord);
  return entries.map(({ title, url }) => `; ${String(title)} ${String(url)}`).join("");
}
