import { InvalidInput, isRecord } from "@butler/std";

/** Reads the fields of one entry of a cloud-config, telling by name what it cannot take. */
export class EntryReader {
  readonly path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown, path: string, known: readonly string[]) {
    this.path = path;
    if (!isRecord(value)) throw new InvalidInput(`${path} is not a map of fields`);
    const stranger = Object.keys(value).find((key) => !known.includes(key));
    if (stranger !== undefined) throw new InvalidInput(`${path}.${stranger} is not supported`);
    this.#fields = value;
  }

  /** The field as it is; null counts as absent. */
  value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined;
  }

  /** A field that holds text. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "string") return value;
    return this.refuse(name, "must be text");
  }

  /** A field that holds text on one line, fit for a table whose columns are separated by colons. */
  column(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || (isOneLine(text) && !text.includes(":"))) return text;
    return this.refuse(name, "must be on one line and without colons");
  }

  /** A field that holds yes or no. */
  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "boolean") return value;
    return this.refuse(name, "must be true or false");
  }

  /** Says what is wrong with a field. */
  refuse(name: string, trouble: string): never {
    throw new InvalidInput(`${this.path}.${name} ${trouble}`);
  }
}

/** Whether a text has no line break and nothing else that cannot be seen. */
export function isOneLine(text: string): boolean {
  return Array.from(text).every((character) => character >= " " && character !== "\u007f");
}

/** The items of a list, each with the path that names it. Absent and null are an empty list. */
export function readList(value: unknown, path: string): { readonly item: unknown; readonly path: string }[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new InvalidInput(`${path} is not a list`);
  return value.map((item: unknown, at) => ({ item, path: `${path}[${at}]` }));
}
