import { isRecord, valueAt } from "@butler/std";
import { type Values } from "./values-draft.ts";

/** Input type of a value. `other` can be edited as YAML only. */
export type FieldKind = "text" | "number" | "integer" | "yes-no" | "choice" | "lines" | "other";

/** One value in the schema of an add-on. */
export interface ValueField {
  readonly path: readonly string[];
  readonly label: string;
  readonly hint: string;
  readonly kind: FieldKind;
  readonly choices: readonly string[];
  readonly fallback: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly isRequired: boolean;
}

/** Maximum nesting depth of the form. */
const deepest = 6;
/** Maximum number of form fields. */
const mostFields = 200;

/** The fields of a JSON Schema, in schema order. */
export function fieldsOf(schema: Values | undefined): ValueField[] {
  return schema === undefined ? [] : collect(schema, []).slice(0, mostFields);
}

function collect(schema: Values, path: readonly string[]): ValueField[] {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).flatMap(([name, part]) => {
    if (!isRecord(part)) return [];
    const here = [...path, name];
    const isGroup = isRecord(part["properties"]) && here.length < deepest;
    return isGroup ? collect(part, here) : [fieldOf(part, here, required.includes(name))];
  });
}

function fieldOf(part: Values, path: readonly string[], isRequired: boolean): ValueField {
  const choices = Array.isArray(part["enum"]) ? part["enum"].filter((choice) => typeof choice === "string") : [];
  return {
    path,
    label: textOf(part["title"]) || path.join("."),
    hint: textOf(part["description"]),
    kind: kindOf(part, choices),
    choices,
    fallback: part["default"],
    minimum: numberOf(part["minimum"]),
    maximum: numberOf(part["maximum"]),
    isRequired,
  };
}

const kinds: Readonly<Record<string, FieldKind>> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "yes-no",
};

function kindOf(part: Values, choices: readonly string[]): FieldKind {
  const types = [part["type"]].flat().filter((type) => type !== "null");
  const [type] = types;
  if (types.length !== 1 || typeof type !== "string") return "other";
  if (Array.isArray(part["enum"])) return choices.length === part["enum"].length ? "choice" : "other";
  if (type === "array") return isRecord(part["items"]) && part["items"]["type"] === "string" ? "lines" : "other";
  return kinds[type] ?? "other";
}

/** A value as text for its input; empty if unset. */
export function fieldText({ kind }: ValueField, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (kind === "lines" && Array.isArray(value)) return value.map(String).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The value of an input text; `undefined` if left empty. */
export function fieldValue({ kind }: ValueField, text: string): unknown {
  if (text === "") return undefined;
  if (kind === "number" || kind === "integer") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === "yes-no") return text === "true";
  if (kind === "lines") return text.split("\n").filter((line, index, all) => line !== "" || index < all.length - 1);
  return text;
}

/** Validation error of a value; undefined if valid. */
export function fieldProblem(field: ValueField, value: unknown): string | undefined {
  const { kind, isRequired, fallback, choices } = field;
  if (value === undefined) return isRequired && fallback === undefined ? "Required." : undefined;
  if (kind === "number" || kind === "integer") return numberProblem(field, value);
  const isOffered = kind !== "choice" || (typeof value === "string" && choices.includes(value));
  return isOffered ? undefined : `Must be one of ${choices.join(", ")}.`;
}

function numberProblem({ kind, minimum, maximum }: ValueField, value: unknown): string | undefined {
  if (typeof value !== "number") return "Must be a number.";
  if (kind === "integer" && !Number.isInteger(value)) return "Must be a whole number.";
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}.`;
  return maximum !== undefined && value > maximum ? `Must be at most ${maximum}.` : undefined;
}

/** The first validation error of the form. */
export function formProblem(fields: readonly ValueField[], values: Values): string | undefined {
  for (const field of fields) {
    const problem = fieldProblem(field, valueAt(values, field.path));
    if (problem !== undefined) return `${field.label}: ${problem}`;
  }
  return undefined;
}

/** A value and its source. */
export interface ValueOrigin {
  readonly path: string;
  readonly value: string;
  readonly origin: "cluster" | "catalog";
}

/** All known values with their source: set for this cluster, or the catalog default. */
export function originsOf(values: Values, fields: readonly ValueField[]): ValueOrigin[] {
  const own = leavesOf(values, []).map(([path, value]): ValueOrigin => ({ path, value, origin: "cluster" }));
  const isSet = (path: string): boolean =>
    own.some((each) => each.path === path || each.path.startsWith(`${path}.`) || path.startsWith(`${each.path}.`));
  const open = fields
    .filter(({ path, fallback }) => fallback !== undefined && !isSet(path.join(".")))
    .map(({ path, fallback }): ValueOrigin => {
      return { path: path.join("."), value: JSON.stringify(fallback), origin: "catalog" };
    });
  return [...own, ...open].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function leavesOf(value: unknown, path: readonly string[]): (readonly [string, string])[] {
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]));
  }
  return path.length === 0 ? [] : [[path.join("."), JSON.stringify(value) ?? ""]];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
