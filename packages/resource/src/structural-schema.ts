import { Bug } from "@butler/std";
import { z } from "zod";
import type { CelRule } from "./fields.ts";

/** An OpenAPI v3 schema as apiextensions.k8s.io/v1 takes it (a structural schema). */
export interface StructuralSchema {
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  description?: string;
  format?: string;
  default?: unknown;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  nullable?: boolean;
  anyOf?: { type: "integer" | "string" }[];
  properties?: Record<string, StructuralSchema>;
  additionalProperties?: StructuralSchema;
  required?: string[];
  items?: StructuralSchema;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-list-type"?: "map" | "set" | "atomic";
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: "atomic" | "granular";
  "x-kubernetes-validations"?: CelRule[];
}

type JsonSchema = Record<string, unknown>;

/** Fields that pass from Zod's JSON Schema to ours unchanged. */
const carried = [
  "description",
  "default",
  "enum",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "nullable",
  "required",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
] as const;

/** Formats that the API server checks or at least knows; others would only mislead. */
const knownFormats = new Set(["int32", "int64", "float", "double", "date-time", "email", "byte"]);

/** Formats for which Zod adds a pattern that says the same less readably. */
const formatsWithPattern = new Set(["date-time", "email"]);

/**
 * The structural schema of a Zod schema, from the writer's side (defaults make a field optional). Refuses, naming the
 * path, what Kubernetes cannot express, so that the mistake shows when the CRDs are generated and not when a user
 * installs them.
 */
export function toStructuralSchema(schema: z.ZodType, path = "$"): StructuralSchema {
  const json = z.toJSONSchema(schema, { target: "openapi-3.0", io: "input", unrepresentable: "any", reused: "inline" });
  return convert(json, path);
}

function convert(json: JsonSchema, path: string): StructuralSchema {
  const result: StructuralSchema = {};
  for (const field of carried) if (json[field] !== undefined) Object.assign(result, { [field]: json[field] });
  if (json["x-kubernetes-int-or-string"] === true) {
    return { ...result, anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };
  }
  if (json["allOf"] !== undefined) {
    throw new Bug(
      `${path}: multiple patterns and intersections are not allowed in a structural schema; use one pattern and CEL rules`,
    );
  }
  if (json["anyOf"] !== undefined || json["oneOf"] !== undefined) {
    throw new Bug(
      `${path}: unions are not allowed in a structural schema; use one optional field per variant and a CEL rule`,
    );
  }
  refuseWhatRe2Lacks(result.pattern, path);
  if (json["type"] === undefined) {
    if (result["x-kubernetes-preserve-unknown-fields"] !== true) {
      throw new Bug(`${path}: the schema has no type; use openObject() or anyValue() to allow arbitrary content`);
    }
    return result;
  }
  result.type = json["type"] as NonNullable<StructuralSchema["type"]>;
  addFormat(json, result);
  addBounds(json, result);
  addChildren(json, result, path);
  return result;
}

function addFormat(json: JsonSchema, result: StructuralSchema): void {
  const format = json["format"];
  if (typeof format === "string" && knownFormats.has(format)) {
    result.format = format;
    if (formatsWithPattern.has(format)) delete result.pattern;
  }
  if (result.type === "integer" && result.format === undefined) result.format = "int64";
}

function addBounds(json: JsonSchema, result: StructuralSchema): void {
  for (const bound of ["minimum", "maximum"] as const) {
    const value = json[bound];
    // Zod bounds every integer by what a double holds exactly; that is no statement about the field.
    if (typeof value === "number" && Math.abs(value) !== Number.MAX_SAFE_INTEGER) result[bound] = value;
  }
}

function addChildren(json: JsonSchema, result: StructuralSchema, path: string): void {
  if (json["properties"] !== undefined) {
    result.properties = {};
    for (const [name, child] of Object.entries(json["properties"] as Record<string, JsonSchema>)) {
      result.properties[name] = convert(child, `${path}.${name}`);
    }
  }
  // `false` only forbids additional properties, which the API server handles. In an object whose unknown
  // fields are kept, Zod's `{}` says nothing that the mark does not.
  if (typeof json["additionalProperties"] === "object" && result["x-kubernetes-preserve-unknown-fields"] !== true) {
    result.additionalProperties = convert(json["additionalProperties"] as JsonSchema, `${path}.*`);
  }
  if (result.type !== "array") return;
  if (json["items"] === undefined) throw new Bug(`${path}: the list has no item type`);
  result.items = convert(json["items"] as JsonSchema, `${path}[]`);
}

/** Kubernetes compiles patterns with Go's RE2, which has no lookaround, no backreference and no `\u` escape. */
function refuseWhatRe2Lacks(pattern: string | undefined, path: string): void {
  if (pattern === undefined) return;
  // Escaped backslashes go first, so that a literal one before a digit or a `u` is not taken for an escape.
  const text = pattern.replaceAll("\\\\", "");
  if (/\(\?(?:[=!]|<[=!])/.test(text)) {
    throw new Bug(`${path}: the pattern uses lookaround, which the API server's RE2 does not support`);
  }
  if (/\\(?:[1-9]|k<|u)/.test(text)) {
    throw new Bug(
      `${path}: the pattern uses a backreference or \\u escape, which the API server's RE2 does not support`,
    );
  }
}
