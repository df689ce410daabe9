import { InvalidArgumentError, Option } from "commander";
import { stringify } from "yaml";
import { jsonPath, TemplateError } from "./jsonpath/index.ts";
import type { Paint } from "./style.ts";
import { type Column, Table } from "./table.ts";

/** Output formats, besides `jsonpath=`, which is available where `json` is. */
export const outputFormats = ["table", "wide", "json", "yaml", "name"] as const;

const jsonPathPrefix = "jsonpath=";

/** A template in kubectl's syntax that selects values from the `json` output. */
export type JsonPathFormat = `jsonpath=${string}`;
export type DataFormat = "json" | "yaml" | JsonPathFormat;
export type OutputFormat = (typeof outputFormats)[number] | JsonPathFormat;

/** The `-o` option; a command may support fewer formats. */
export function outputOption(formats: readonly (typeof outputFormats)[number][] = outputFormats): Option {
  const shown = [...formats, ...(formats.includes("json") ? [`${jsonPathPrefix}TEMPLATE`] : [])];
  const option = new Option("-o, --output <format>", `output format: ${shown.join(", ")}`)
    .choices(formats)
    .default(formats[0] ?? "table");
  const choose = option.parseArg;
  return option.argParser((text: string, previous: string) =>
    isJsonPath(text) && formats.includes("json") ? checked(text) : (choose?.(text, previous) ?? text),
  );
}

function isJsonPath(format: string): format is JsonPathFormat {
  return format.startsWith(jsonPathPrefix);
}

function checked(format: JsonPathFormat): JsonPathFormat {
  try {
    jsonPath(format.slice(jsonPathPrefix.length));
    return format;
  } catch (error) {
    if (error instanceof TemplateError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

/** Whether a format prints the data itself rather than a table. */
export function isDataFormat(format: OutputFormat): format is DataFormat {
  return format === "json" || format === "yaml" || isJsonPath(format);
}

/** A value as JSON or YAML, or the result of a template, without a trailing newline. */
export function renderValue(value: unknown, format: DataFormat): string {
  if (format === "json") return JSON.stringify(value, undefined, 2);
  if (isJsonPath(format)) return jsonPath(format.slice(jsonPathPrefix.length))(value).replace(/\n$/, "");
  // No folded lines and no aliases, so that every YAML parser can read the text.
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
}

/** How objects of one kind are displayed. */
export interface ObjectView<T> {
  readonly columns: readonly Column<T>[];
  /** The object's name for `-o name`. */
  readonly nameOf: (object: T) => string;
}

export interface RenderOptions {
  readonly format: OutputFormat;
  readonly hasHeader?: boolean;
  readonly paint?: Paint;
}

/** One object in the requested format. */
export function renderObject<T>(view: ObjectView<T>, object: T, options: RenderOptions): string {
  const { format } = options;
  return isDataFormat(format) ? renderValue(object, format) : renderRows(view, [object], options);
}

/** Several objects in the requested format; a `List` in data formats. Empty text for an empty table. */
export function renderObjects<T>(view: ObjectView<T>, objects: readonly T[], options: RenderOptions): string {
  const { format } = options;
  if (isDataFormat(format)) {
    return renderValue({ apiVersion: "v1", kind: "List", metadata: {}, items: objects }, format);
  }
  return objects.length === 0 ? "" : renderRows(view, objects, options);
}

function renderRows<T>({ columns, nameOf }: ObjectView<T>, objects: readonly T[], options: RenderOptions): string {
  if (options.format === "name") return objects.map(nameOf).join("\n");
  return new Table(columns, { ...options, isWide: options.format === "wide" }).start(objects).join("\n");
}

/** Prints objects as they change, for `--watch`: rows under one header, or one document after another. */
export class WatchOutput<T> {
  readonly #view: ObjectView<T>;
  readonly #options: RenderOptions;
  readonly #table: Table<T>;

  constructor(view: ObjectView<T>, options: RenderOptions) {
    this.#view = view;
    this.#options = options;
    this.#table = new Table(view.columns, { ...options, isWide: options.format === "wide" });
  }

  /** The output for the initial list. */
  start(objects: readonly T[]): string[] {
    const { format } = this.#options;
    return format === "table" || format === "wide"
      ? this.#table.start(objects)
      : objects.flatMap((one) => this.next(one));
  }

  /** The output for a change. */
  next(object: T): string[] {
    const { format } = this.#options;
    if (format === "yaml") return ["---", renderValue(object, format)];
    if (isDataFormat(format)) return [renderValue(object, format)];
    return [format === "name" ? this.#view.nameOf(object) : this.#table.row(object)];
  }
}
