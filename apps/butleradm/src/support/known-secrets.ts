import { redacted } from "@butler/telemetry";

/** Shorter texts are words like any other: replacing them everywhere would only make a bundle unreadable. */
const shortest = 6;
/** From this length on a word within a longer text may be a secret by itself. */
const shortestWord = 16;

/**
 * Finds values of Secrets in texts, in any form in which they may be repeated. How long that takes does not depend on how
 * many there are.
 */
export class KnownSecrets {
  /** Forms by how they begin. */
  readonly #forms = new Map<string, string[]>();

  constructor(values: Iterable<string>) {
    for (const form of new Set([...values].flatMap(secretTexts).flatMap(formsOf))) {
      const start = form.slice(0, shortest);
      this.#forms.set(start, [...(this.#forms.get(start) ?? []), form]);
    }
  }

  /** The text with every value of a Secret replaced. Values that overlap go together, so that no end of one is left. */
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

/** A value and, where it has many lines, such as a kubeconfig has, the words in it that are no words. */
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

/** The base64 of bytes that stand behind some others: the middle of it is the same whatever is before and behind. */
function base64At(bytes: Buffer, shift: number, encoding: "base64" | "base64url"): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString(encoding)
    .replaceAll("=", "");
  const start = shift === 0 ? 0 : shift + 1;
  const isWhole = (shift + bytes.length) % 3 === 0;
  return encoded.slice(start, isWhole ? encoded.length : encoded.length - 1);
}

/** What Secrets hold beside what is secret. */
const plainKey = /^(namespace|user(name)?|host(name)?|port|endpoints?|server|database|name|type|ca|.*\.(crt|pub))$/i;

/** The values of a Secret's data that must not be told, decoded. */
export function secretValuesIn(data: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(data).flatMap(([key, value]) => {
    if (typeof value !== "string" || plainKey.test(key)) return [];
    const bytes = Buffer.from(value, "base64");
    const text = bytes.toString("utf8");
    // Bytes that are no text cannot be repeated in one but for their base64.
    return Buffer.from(text, "utf8").equals(bytes) ? [text] : [value];
  });
}
