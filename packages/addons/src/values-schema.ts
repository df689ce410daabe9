import { describeError, isRecord } from "@butler/std";
import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { escapeKey, type Values, valuesLimits } from "./merge-values.ts";

const shownFaults = 3;

/** Errors that only wrap a nested error. */
const wrappers = new Set(["properties", "patternProperties", "additionalProperties", "items", "prefixItems", "$ref"]);
const choices = /\/(oneOf|anyOf|not|if)\/?/;

/**
 * Faults of values by a JSON Schema: path and fault of the first few, never a value, which may be secret. Undefined
 * without faults, or without a schema.
 */
export function valuesFault(schema: Readonly<Record<string, unknown>> | undefined, values: Values): string | undefined {
  if (schema === undefined) return undefined;
  const errors = errorsIn(schema, values);
  if (typeof errors === "string") return errors;
  // Errors of single alternatives are noise; the choice itself reports that none of them matches.
  const telling = errors.filter(
    ({ keyword, keywordLocation }) => !wrappers.has(keyword) && !choices.test(parentOf(keywordLocation)),
  );
  const lines = (telling.length > 0 ? telling : errors).map((error) => describe(error, schema));
  if (lines.length === 0) return undefined;
  const more = lines.length - shownFaults;
  return [...lines.slice(0, shownFaults), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** Why a JSON Schema is invalid, such as a broken reference; undefined when it is valid. */
export function schemaFault(schema: Readonly<Record<string, unknown>>): string | undefined {
  const errors = errorsIn(schema, {});
  return typeof errors === "string" ? errors : undefined;
}

function errorsIn(schema: Readonly<Record<string, unknown>>, values: Values): readonly OutputUnit[] | string {
  try {
    checkKeywords(schema, { root: schema, path: "", depth: 0 });
    return validatorOf(schema).validate(values).errors;
  } catch (error) {
    return `invalid schema: ${describeError(error)}`;
  }
}

/** The validator annotates its schema, so it gets a copy. */
function validatorOf(schema: Readonly<Record<string, unknown>>): Validator {
  return new Validator(structuredClone(schema), "2020-12", false);
}

const knownTypes = new Set<unknown>(["array", "boolean", "integer", "null", "number", "object", "string"]);

interface SchemaPlace {
  readonly root: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly depth: number;
}

/** Finds schema errors that the validator would report only when a value reaches them. */
function checkKeywords(schema: Readonly<Record<string, unknown>>, { root, path, depth }: SchemaPlace): void {
  if (depth > valuesLimits.depth) throw new Error(`nested more than ${valuesLimits.depth} levels deep`);
  const { type, pattern, $ref: reference } = schema;
  for (const each of [type ?? []].flat()) {
    if (!knownTypes.has(each)) throw new Error(`${path || "/"} has the unknown type ${JSON.stringify(each)}`);
  }
  if (typeof pattern === "string") RegExp(pattern, "u");
  if (typeof reference === "string" && !leadsSomewhere(reference, root)) {
    throw new Error(`${path || "/"} refers to ${reference}, which is not in the schema`);
  }
  for (const [key, child] of subschemas(schema)) {
    checkKeywords(child, { root, path: `${path}/${key}`, depth: depth + 1 });
  }
}

/** References must be inside the schema: nothing is fetched for validation. */
function leadsSomewhere(reference: string, root: unknown): boolean {
  return reference.startsWith("#/") && segmentsOf(reference).reduce(step, root) !== undefined;
}

/** The direct subschemas of a schema, with their path. */
export function subschemas(
  schema: Readonly<Record<string, unknown>>,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const maps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].flatMap((keyword) =>
    Object.entries(asRecord(schema[keyword])).map(([key, child]) => [`${keyword}/${key}`, child] as const),
  );
  const lists = ["allOf", "anyOf", "oneOf", "prefixItems"].flatMap((keyword) =>
    [schema[keyword] ?? []].flat().map((child, at) => [`${keyword}/${at}`, child] as const),
  );
  const single = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"].map(
    (keyword) => [keyword, schema[keyword]] as const,
  );
  return [...maps, ...lists, ...single].flatMap(([key, child]) => (isRecord(child) ? [[key, child] as const] : []));
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/") + 1);

function describe(error: OutputUnit, schema: Readonly<Record<string, unknown>>): string {
  const path = segmentsOf(error.instanceLocation).map(escapeKey).join(".");
  const wanted = segmentsOf(error.keywordLocation).reduce(step, schema);
  return `${path || "values"} ${complaint(error, wanted)}`;
}

function step(place: unknown, segment: string): unknown {
  if (Array.isArray(place)) return (place as unknown[])[Number(segment)];
  return isRecord(place) && Object.hasOwn(place, segment) ? place[segment] : undefined;
}

/** The parts of a JSON pointer such as `#/a/b~1c`. */
function segmentsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function complaint({ keyword, error }: OutputUnit, wanted: unknown): string {
  const sentence = sentences[keyword];
  return sentence === undefined
    ? `does not match the schema (${keyword})`
    : sentence(Array.isArray(wanted) ? wanted.join(", ") : String(wanted), error);
}

const sentences: Readonly<Record<string, (wanted: string, error: string) => string>> = {
  type: (wanted, error) =>
    `must be ${wanted === "undefined" ? (/Expected (.*)\.$/.exec(error)?.[1] ?? "else") : wanted}`,
  enum: (wanted) => `must be one of ${wanted}`,
  const: (wanted) => `must be ${wanted}`,
  minimum: (wanted) => `must be at least ${wanted}`,
  maximum: (wanted) => `must be at most ${wanted}`,
  exclusiveMinimum: (wanted) => `must be greater than ${wanted}`,
  exclusiveMaximum: (wanted) => `must be less than ${wanted}`,
  multipleOf: (wanted) => `must be a multiple of ${wanted}`,
  minLength: (wanted) => `must have at least ${wanted} characters`,
  maxLength: (wanted) => `must have at most ${wanted} characters`,
  minItems: (wanted) => `must have at least ${wanted} entries`,
  maxItems: (wanted) => `must have at most ${wanted} entries`,
  pattern: (wanted) => `must match ${wanted}`,
  format: (wanted) => `must be a valid ${wanted}`,
  required: (_, error) => `must include ${/"(.*)"/s.exec(error)?.[1] ?? "more"}`,
  false: () => "is not allowed",
  oneOf: () => "must match exactly one of the alternatives",
  anyOf: () => "must match one of the alternatives",
  not: () => "must not match the excluded schema",
  uniqueItems: () => "must not contain duplicates",
};
