import { isRecord } from "@butler/std";

/** What must be redacted. */
export interface Confidential {
  readonly values: Readonly<Record<string, unknown>>;
  /** Words of the kubeconfig that are secret. */
  readonly credentials?: readonly string[] | undefined;
  /** Names that are never redacted, even if they occur in the values. */
  readonly plain?: readonly string[] | undefined;
}

const replacement = "[redacted]";
const tellingName = /passw|passphrase|secret|token|credential|private|api-?key|access-?key|auth|cookie|dsn|license/i;
/** These keys say where a secret is or whether it exists, and are not redacted. */
const pointingName = /(name|ref|namespace|enabled|create|type|class|policy|path)s?$|^existing/i;
/** Shorter texts are ordinary words; replacing them would only make messages unreadable. */
const shortestSecret = 3;
const shortestValue = 6;
/** Values below a secret name may be user names or ports; from this length on they are also matched within words. */
const shortestWithin = 8;
const plainWords: ReadonlySet<string> = new Set(["true", "false", "null", "none"]);
const most = 2_000;

const inlineSecrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, replacement],
  [/\bLS0tLS1CRUdJTi[A-Za-z0-9+/]+=*/g, replacement],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${replacement}`],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, replacement],
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@]{0,200}):[^/\s]+@/gi, `$1:${replacement}@`],
];

/**
 * Returns a function that redacts values and credentials that helm, a template or the API server quote. A value with a
 * secret name is found everywhere, also encoded; any other only as a whole word, so that a name which starts with a value
 * stays readable.
 */
export function redactor(confidential: Confidential): (text: string) => string {
  const { secrets, others } = wordsOf(confidential);
  return (text) => {
    let current = inlineSecrets.reduce((before, [pattern, by]) => before.replace(pattern, by), text);
    for (const secret of secrets) current = current.replaceAll(secret, replacement);
    for (const other of others) {
      if (current.includes(other)) current = current.replace(alone(other), replacement);
    }
    return current;
  };
}

function alone(word: string): RegExp {
  return new RegExp(`(?<![\\w.-])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "g");
}

interface Words {
  readonly secrets: readonly string[];
  readonly others: readonly string[];
}

function wordsOf({ values, credentials = [], plain = [] }: Confidential): Words {
  const kept = new Set([...plain, ...plainWords]);
  // A text of several lines may be repeated line by line.
  const parts = [...leaves(values, "plain")].flatMap(({ text, nature }) =>
    [text, ...text.split("\n")].map((line) => ({ text: line.trim(), nature })),
  );
  const secrets = parts.filter(({ text, nature }) => text.length >= shortestLength[nature] && !plainWords.has(text));
  const others = parts.filter(
    ({ text, nature }) => text.length >= (nature === "plain" ? shortestValue : shortestSecret) && !kept.has(text),
  );
  return {
    secrets: longestFirst([...credentials, ...secrets.map(({ text }) => text)].flatMap(formsOf)),
    others: longestFirst(others.map(({ text }) => text)),
  };
}

/** The length from which a text is also matched within other words. */
const shortestLength: Readonly<Record<Nature, number>> = {
  secret: shortestSecret,
  "below secret": shortestWithin,
  plain: Number.POSITIVE_INFINITY,
};

function formsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const forms = [text, escaped, Buffer.from(text).toString("base64"), encodeURIComponent(text.toWellFormed())];
  return forms.filter((form) => form.length >= shortestSecret);
}

function longestFirst(words: readonly string[]): string[] {
  return [...new Set(words)].sort((left, right) => right.length - left.length).slice(0, most);
}

/** Whether a value is secret by its own key, by a parent key, or not at all. */
type Nature = "secret" | "below secret" | "plain";

interface Leaf {
  readonly text: string;
  readonly nature: Nature;
}

function* leaves(value: unknown, nature: Nature): Generator<Leaf> {
  if (typeof value === "string") yield { text: value, nature };
  else if (typeof value === "number" && nature === "secret") yield { text: String(value), nature };
  else if (Array.isArray(value)) for (const item of value) yield* leaves(item, nature);
  else if (isRecord(value)) yield* fieldLeaves(value, nature);
}

function* fieldLeaves(fields: Readonly<Record<string, unknown>>, nature: Nature): Generator<Leaf> {
  const inherited = nature === "plain" ? "plain" : "below secret";
  for (const [key, value] of Object.entries(fields)) {
    const isText = typeof value === "string";
    if (isText && pointingName.test(key)) continue;
    yield* leaves(value, tellingName.test(key) ? "secret" : inherited);
  }
}
