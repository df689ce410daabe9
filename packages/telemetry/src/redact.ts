import { isRecord } from "@butler/std";

/** What a secret is replaced by in logs, plans and events. */
export const redacted = "[redacted]";

/** Field names whose values never leave the process. */
const secretName =
  /^(password|passwd|passphrase|token|secret|authorization|cookie|apikey|privatekey|clientsecret|kubeconfig|talosconfig|userdata|credentials?|bearertoken|accesskey|secretaccesskey|app-password)$/i;

const inlineSecrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, redacted],
  [/([a-z][a-z0-9+.-]*:\/\/[^/\s:@]+):[^/\s@]+@/gi, `$1:${redacted}@`],
];

/**
 * A copy of a value that is safe to print: the data of Secrets, fields with telling names, private keys, bearer tokens
 * and passwords in URLs are replaced. Names of Secrets stay, for they are needed to find the trouble.
 */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (!isRecord(value)) return value;
  const isSecret = value["kind"] === "Secret";
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (isSecret && (key === "data" || key === "stringData")) return [key, redactValues(inner)];
      return [key, secretName.test(key) && holdsText(inner) ? redacted : redact(inner)];
    }),
  );
}

/** A text with anything in it that looks like a credential replaced. */
export function redactText(text: string): string {
  return inlineSecrets.reduce((current, [pattern, replacement]) => current.replace(pattern, replacement), text);
}

function redactValues(data: unknown): unknown {
  return isRecord(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, redacted])) : redacted;
}

function holdsText(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || value instanceof Uint8Array;
}
