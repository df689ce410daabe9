import { InvalidInput, isRecord } from "@butler/std";

/** Reads the fields of one entry of a cloud-config, and names unsupported fields. */
export class EntryReader {
  readonly path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown, path: string, known: readonly string[]) {
    this.path = path;
    if (!isRecord(value)) throw new InvalidInput(`${path} must be a map`);
    const stranger = Object.keys(value).find((key) => !known.includes(key));
    if (stranger !== undefined) throw new InvalidInput(`${path}.${stranger} is not supported`);
    this.#fields = value;
  }

  /** The raw value of a field; null counts as absent. */
  value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined;
  }

  /** A string field. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "string") return value;
    return this.refuse(name, "must be a string");
  }

  /** A single-line string field without colons, for colon-separated tables. */
  column(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || (isOneLine(text) && !text.includes(":"))) return text;
    return this.refuse(name, "must be a single line without colons");
  }

  /** A boolean field. */
  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "boolean") return value;
    return this.refuse(name, "must be true or false");
  }

  /** Throws an error about a field. */
  refuse(name: string, problem: string): never {
    throw new InvalidInput(`${this.path}.${name} ${problem}`);
  }
}

/** Whether a text has no line breaks or other control characters. */
export function isOneLine(text: string): boolean {
  return Array.from(text).every((character) => character >= " " && character !== "\u007f");
}

/** The items of a list, each with its path. Absent and null are an empty list. */
export function readList(value: unknown, path: string): { readonly item: unknown; readonly path: string }[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new InvalidInput(`${path} must be a list`);
  return value.map((item: unknown, at) => ({ item, path: `${path}[${at}]` }));
}
