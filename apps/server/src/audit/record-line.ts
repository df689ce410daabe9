import { createHash } from "node:crypto";
import type { AuditRecord, RecordPhase, StoredRecord } from "@butler/audit";
import { redacted, redactText } from "@butler/telemetry";

/** A record that is not part of a chain yet. */
export interface NewRecord {
  readonly phase: RecordPhase;
  readonly record: AuditRecord;
  /**
   * Last records of other chains as they are known, by chain: `number:hash`. They show when the end of one is cut off.
   */
  readonly anchors?: Readonly<Record<string, string>> | undefined;
}

/** Maximum length of a text in a record; longer ones are truncated. */
const longestText = 512;

/** A string this long and mixed is likely a credential, not a name. */
const longRun = /(?=[A-Za-z0-9_+=]*\d)(?=[A-Za-z0-9_+=]*[A-Za-z])[A-Za-z0-9_+=]{32,}/g;

/** A record with everything that looks like a credential redacted, in any field. */
export function withoutSecrets(record: AuditRecord): AuditRecord {
  const safe = Object.entries(record).map(([name, value]: [string, unknown]) => {
    // A request's own number is long and mixed by nature, and ours.
    if (name === "requestId") return [name, cut(String(value))];
    if (typeof value === "string") return [name, safeText(value)];
    return [name, Array.isArray(value) ? value.map((inner) => safeText(String(inner))) : value];
  });
  return Object.fromEntries(safe) as AuditRecord;
}

function safeText(text: string): string {
  return cut(redactText(text).replaceAll(longRun, redacted));
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`;
}

/** The SHA-256 of a line, without the line break at its end. */
export function hashOf(line: string): string {
  return createHash("sha256").update(line).digest("hex");
}

/** The line of a record. */
export function writeLine(record: StoredRecord): string {
  return JSON.stringify(record);
}
