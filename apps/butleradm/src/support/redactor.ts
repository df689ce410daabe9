import { isRecord } from "@butler/std";
import { redact, redacted, redactText } from "@butler/telemetry";
import { KnownSecrets } from "./known-secrets.ts";

/** Redacts the contents of a bundle: known values of Secrets, and everything that looks like a credential. */
export class Redactor {
  readonly #known: KnownSecrets;

  constructor(secretValues: Iterable<string>) {
    this.#known = new KnownSecrets(secretValues);
  }

  /** A text without secrets. */
  text(text: string): string {
    // Known values first: a pattern that matches in the middle of one would leave its ends behind.
    return named.reduce(
      (current, pattern) => current.replace(pattern, `$1${redacted}`),
      redactText(this.#known.remove(text)),
    );
  }

  /** A value without secrets; also redacts fields with sensitive names. */
  value(value: unknown): unknown {
    return redact(this.#below(withoutContents(value)));
  }

  #below(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#below(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [this.#known.remove(key), this.#below(inner)]),
    );
  }
}

/** Flags, fields and headers with sensitive names. */
const named: readonly RegExp[] = [
  /(--?[\w-]{0,40}(?:password|passwd|secret|token|api-?key|credential)[\w-]{0,40}(?:=|\s{1,9}))(?!\[redacted\])\S+/gi,
  /\b([\w-]{0,40}(?:password|passwd|passphrase|token|api-?key|key-data|certificate-data|client-secret)"?\s{0,9}[:=]\s{0,9})(?!\[redacted\])(?:"[^"]*"|'[^']*'|[^\s,;}]+)/gi,
  /\b((?:set-)?cookie\s{0,9}:\s{0,9})[^\r\n]+/gi,
];

/** ConfigMaps and environment variables may contain anything, so only their names are kept. */
function withoutContents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutContents);
  if (!isRecord(value)) return value;
  const hasData = value["kind"] === "ConfigMap" || value["kind"] === "Secret";
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (key === "managedFields" || key === "kubectl.kubernetes.io/last-applied-configuration") return [];
      if (hasData && ["data", "stringData", "binaryData"].includes(key)) return [[key, namesOnly(inner)]];
      if (key === "env" && Array.isArray(inner)) return [[key, inner.map(withoutValue)]];
      return [[key, withoutContents(inner)]];
    }),
  );
}

function namesOnly(data: unknown): unknown {
  return isRecord(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, redacted])) : redacted;
}

function withoutValue(variable: unknown): unknown {
  return isRecord(variable) && "value" in variable ? { ...variable, value: redacted } : variable;
}
