import { redacted } from "@butler/telemetry";

/** Shorter values are common words: replacing them everywhere would make a bundle unreadable. */
const shortest = 6;
/** Minimum length of a word within a longer value to be treated as a secret. */
const shortestWord = 16;

/**
 * Finds values of Secrets in texts, in any common encoding. The time does not depend on the number of Secrets.
 */
export class KnownSecrets {
  /** Encoded forms by prefix. */
  readonly #forms = new Map<string, string[]>();

  constructor(values: Iterable<string>) {
    for (const form of new Set([...values].flatMap(secretTexts).flatMap(formsOf))) {
      const start = form.slice(0, shortest);
      this.#forms.set(start, [...(this.#forms.get(start) ?? []), form]);
    }
  }

  /** Replaces every value of a Secret. Overlapping values are replaced together, so that no part of one is left. */
  remove(text: string): string {
    let [result, copied, start, end] = ["", 0, 0, 0];
    const take = (): void => {
      if (end > copied) result += text.slice(copied, start) + redacted;
      copied = Math.max(copied, end);
    };
    for (let at = 0; at + shortest <= text.length; at += 1) {
      const length = this.#lengthAt(text, at);
      if (length === 0) continue;
      if (at > end) {
        take();
        start = at;
      } else if (end <= copied) start = at;
      end = Math.max(end, at + length);
    }
    take();
    return result + text.slice(copied);
  }

  #lengthAt(text: string, at: number): number {
    const candidates = this.#forms.get(text.slice(at, at + shortest)) ?? [];
    return Math.max(0, ...candidates.filter((form) => text.startsWith(form, at)).map(({ length }) => length));
  }
}

/** A value and, if it has several lines like a kubeconfig, the words in it that look like secrets. */
function secretTexts(value: string): string[] {
  const text = value.trim();
  if (!text.includes("\n")) return [text];
  const words = text
    .split(/[\s"',;]+/)
    .filter((word) => word.length >= shortestWord && /\d/.test(word) && !/^https?:/.test(word));
  return [text, ...words];
}

function formsOf(text: string): string[] {
  if (text.length < shortest) return [];
  const bytes = Buffer.from(text);
  const forms = [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text.toWellFormed()),
    ...[0, 1, 2].flatMap((shift) => [base64At(bytes, shift, "base64"), base64At(bytes, shift, "base64url")]),
    bytes.toString("hex"),
  ];
  return forms.filter((form) => form.length >= shortest);
}

/** The part of the base64 of bytes at an offset that does not depend on the surrounding bytes. */
function base64At(bytes: Buffer, shift: number, encoding: "base64" | "base64url"): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString(encoding)
    .replaceAll("=", "");
  const start = shift === 0 ? 0 : shift + 1;
  const isWhole = (shift + bytes.length) % 3 === 0;
  return encoded.slice(start, isWhole ? encoded.length : encoded.length - 1);
}

/** Keys of Secrets whose values are not secret. */
const plainKey = /^(namespace|user(name)?|host(name)?|port|endpoints?|server|database|name|type|ca|.*\.(crt|pub))$/i;

/** The decoded secret values of a Secret's data. */
export function secretValuesIn(data: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(data).flatMap(([key, value]) => {
    if (typeof value !== "string" || plainKey.test(key)) return [];
    const bytes = Buffer.from(value, "base64");
    const text = bytes.toString("utf8");
    // Binary values can only appear in texts as base64.
    return Buffer.from(text, "utf8").equals(bytes) ? [text] : [value];
  });
}
