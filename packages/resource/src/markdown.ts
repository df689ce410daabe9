import { stringify } from "yaml";
import { rootSchema } from "./crd.ts";
import type { Resource } from "./define-resource.ts";
import type { StructuralSchema } from "./structural-schema.ts";

interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly notes: string;
  readonly doc: string;
}

/** The reference page of a kind, in Markdown. */
export function buildMarkdown(resource: Resource): string {
  const root = rootSchema(resource);
  const spec = root.properties?.["spec"];
  const status = root.properties?.["status"];
  return [
    `# ${resource.kind}`,
    "",
    resource.doc,
    "",
    "| | |",
    "|---|---|",
    `| API version | \`${resource.apiVersion}\` |`,
    `| Scope | ${resource.scope} |`,
    `| Plural | \`${resource.plural}\` |`,
    `| Short names | ${resource.shortNames.map((name) => `\`${name}\``).join(", ") || "none"} |`,
    `| Subresources | ${subresources(resource)} |`,
    "",
    "## Example",
    "",
    "```yaml",
    stringify(resource.example, { lineWidth: 100 }).trimEnd(),
    "```",
    "",
    ...ruleSection(root),
    ...fieldSection("spec", spec, resource.isSpecOptional),
    ...fieldSection("status", status, true),
    "## `kubectl get` columns",
    "",
    "| Column | Path |",
    "|---|---|",
    ...resource.columns.map(
      ({ name, jsonPath, priority }) => `| ${name}${priority ? " (wide)" : ""} | \`${jsonPath}\` |`,
    ),
    "",
  ].join("\n");
}

function subresources({ status, scale }: Resource): string {
  const names = [...(status === undefined ? [] : ["`status`"]), ...(scale === undefined ? [] : ["`scale`"])];
  return names.join(", ") || "none";
}

function ruleSection(root: StructuralSchema): string[] {
  const rules = root["x-kubernetes-validations"] ?? [];
  if (rules.length === 0) return [];
  return ["## Rules", "", ...rules.map(({ rule, message }) => `- ${message ?? rule}`), ""];
}

function fieldSection(name: string, schema: StructuralSchema | undefined, isOptional: boolean): string[] {
  if (schema === undefined) return [];
  const rows = [...fieldRows(schema, name)];
  return [
    `## ${name}`,
    "",
    isOptional ? `\`${name}\` is optional.` : `\`${name}\` is required.`,
    ...(schema["x-kubernetes-validations"] ?? []).map(({ rule, message }) => `\nRule: ${message ?? rule}.`),
    "",
    "| Field | Type | Constraints | Description |",
    "|---|---|---|---|",
    ...rows.map(({ path, type, notes, doc }) => `| \`${path}\` | ${type} | ${cell(notes)} | ${cell(doc)} |`),
    "",
  ];
}

function* fieldRows(schema: StructuralSchema, path: string): Generator<FieldRow> {
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const childPath = `${path}.${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    yield {
      path: childPath,
      type: typeName(child),
      notes: constraints(child, isRequired).join("; "),
      doc: child.description ?? "",
    };
    yield* fieldRows(child, childPath);
    if (child.items !== undefined) yield* fieldRows(child.items, `${childPath}[]`);
    if (child.additionalProperties !== undefined) yield* fieldRows(child.additionalProperties, `${childPath}.*`);
  }
}

function typeName(schema: StructuralSchema): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "integer or string";
  if (schema.items !== undefined) return `list of ${typeName(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map of ${typeName(schema.additionalProperties)}`;
  if (schema.type === undefined) return "any";
  return schema.format === undefined || schema.type === "object" ? schema.type : `${schema.type} (${schema.format})`;
}

function constraints(schema: StructuralSchema, isRequired: boolean): string[] {
  const inner = schema.items ?? schema.additionalProperties;
  const keys = schema["x-kubernetes-list-map-keys"];
  return [
    ...(isRequired ? ["required"] : []),
    ...valueNotes(schema),
    ...sizeNotes(schema),
    ...(keys === undefined ? [] : [`unique by ${keys.join(", ")}`]),
    ...(schema["x-kubernetes-list-type"] === "set" ? ["unique values"] : []),
    ...(schema["x-kubernetes-validations"] ?? []).map(({ rule, message }) => message ?? rule),
    ...(inner === undefined ? [] : constraints(inner, false).map((note) => `each: ${note}`)),
  ];
}

function valueNotes(schema: StructuralSchema): string[] {
  const notes: string[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, pattern } = schema;
  if (schema.enum !== undefined) notes.push(`one of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}`);
  if (schema.default !== undefined) notes.push(`default \`${JSON.stringify(schema.default)}\``);
  if (minimum !== undefined) notes.push(`${exclusiveMinimum === true ? "above" : "at least"} ${minimum}`);
  if (maximum !== undefined) notes.push(`${exclusiveMaximum === true ? "below" : "at most"} ${maximum}`);
  if (schema.multipleOf !== undefined) notes.push(`a multiple of ${schema.multipleOf}`);
  if (pattern !== undefined) notes.push(`matches \`${pattern}\``);
  return notes;
}

function sizeNotes({
  minLength,
  maxLength,
  minItems,
  maxItems,
  minProperties,
  maxProperties,
}: StructuralSchema): string[] {
  return [
    ...limitNotes(minLength, maxLength, "characters"),
    ...limitNotes(minItems, maxItems, "items"),
    ...limitNotes(minProperties, maxProperties, "entries"),
  ];
}

function limitNotes(least: number | undefined, most: number | undefined, of: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most} ${of}`];
  if (least === 1) return ["not empty"];
  if (least !== undefined) return [`at least ${least} ${of}`];
  return most === undefined ? [] : [`at most ${most} ${of}`];
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
