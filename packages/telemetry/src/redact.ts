import { describeError, isRecord } from "@butler/std";

/** What a secret is replaced by in logs, plans and events. */
export const redacted = "[redacted]";

/** Field names, without dashes and underscores, whose values never leave the process. */
const secretName =
  /^(.*(password|passwd|passphrase|token|apikey|privatekey|accesskey|clientsecret|authorization|cookie|kubeconfig|talosconfig)|secret|userdata|credentials?)$/i;

/** A copy of the whole object as text, which cannot be redacted field by field. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// Repetitions before a secret marker are bounded, or long texts would take quadratic time.
const inlineSecrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  // The same in base64, as kubeconfigs and machine configurations hold it.
  [/\bLS0tLS1CRUdJTi[A-Za-z0-9+/]+=*/g, redacted],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, redacted],
  [/\b([\w-]{0,40}(?:password|passwd|secret|token|api[-_]?key))=[^\s"',;&]+/gi, `$1=${redacted}`],
  [/("[\w-]{0,40}(?:password|passwd|secret|token|api[-_]?key)"\s{0,9}:\s{0,9})"(?:[^"\\]|\\.)*"/gi, `$1"${redacted}"`],
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@]*):[^/\s]+@/gi, `$1:${redacted}@`],
];

/**
 * A copy of a value that is safe to print: the data of Secrets, fields with sensitive names, private keys, bearer
 * tokens and passwords in URLs are replaced. Names of Secrets stay, because they are needed for debugging. Errors
 * become their description, bytes their number.
 */
export function redact(value: unknown): unknown {
  return redactBelow(value, []);
}

/** A text with everything that looks like a credential replaced. */
export function redactText(text: string): string {
  return inlineSecrets.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), text);
}

function redactBelow(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return redactText(describeError(value));
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (above.includes(value)) return "[circular]";
  const path = [...above, value];
  if (Array.isArray(value)) return value.map((item) => redactBelow(item, path));
  if ("toJSON" in value && typeof value.toJSON === "function") return redactBelow(value.toJSON(), path);
  return redactRecord(value, path);
}

function redactRecord(record: object, path: readonly object[]): unknown {
  const kind = "kind" in record ? record.kind : undefined;
  return Object.fromEntries(
    Object.entries(record).map(([key, inner]: [string, unknown]) => {
      if (kind === "Secret" && (key === "data" || key === "stringData")) return [key, redactValues(inner)];
      if (kind === "SecretList" && key === "items") return [key, redactBelow(asSecrets(inner), path)];
      const isSecret = key === lastApplied || secretName.test(key.replace(/[-_]/g, ""));
      return [key, isSecret ? redactSecret(inner, path) : redactBelow(inner, path)];
    }),
  );
}

/** The value of a field with a sensitive name. An object there references the secret, so its names stay. */
function redactSecret(value: unknown, path: readonly object[]): unknown {
  if (Array.isArray(value)) return value.map((item) => redactSecret(item, path));
  return holdsText(value) ? redacted : redactBelow(value, path);
}

function redactValues(data: unknown): unknown {
  return isRecord(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, redacted])) : redacted;
}

/** The API server omits the kind of list items. */
function asSecrets(items: unknown): unknown {
  return Array.isArray(items)
    ? items.map((item: unknown) => (isRecord(item) ? { ...item, kind: "Secret" } : item))
    : items;
}

function holdsText(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || value instanceof Uint8Array;
}
