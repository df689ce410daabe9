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
    "## Columns of `kubectl get`",
    "",
    "| Column | Path |",
    "|---|---|",
    ...resource.columns.map(({ name, jsonPath, priority }) => `| ${name}${priority ? " (wide)" : ""} | \`${jsonPath}\` |`),
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
    isOptional ? `\`${name}\` may be left out.` : `\`${name}\` is required.`,
    ...(schema["x-kubernetes-validations"] ?? []).map(({ rule, message }) => `\nRule: ${message ?? rule}.`),
    "",
    "| Field | Type | Constraints | Meaning |",
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
  const notes: string[] = [];
  if (isRequired) notes.push("required");
  if (schema.enum !== undefined) notes.push(`one of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}`);
  if (schema.default !== undefined) notes.push(`default \`${JSON.stringify(schema.default)}\``);
  const { minimum, maximum, minLength, maxLength, minItems, pattern } = schema;
  if (minimum !== undefined || maximum !== undefined) notes.push(`${minimum ?? "…"} to ${maximum ?? "…"}`);
  if (minLength !== undefined || maxLength !== undefined) notes.push(`length ${minLength ?? 0} to ${maxLength ?? "…"}`);
  if (minItems !== undefined) notes.push(`at least ${minItems} items`);
  if (pattern !== undefined) notes.push(`matches \`${pattern}\``);
  const keys = schema["x-kubernetes-list-map-keys"];
  if (keys !== undefined) notes.push(`unique by ${keys.join(", ")}`);
  for (const { rule, message } of schema["x-kubernetes-validations"] ?? []) notes.push(message ?? rule);
  return notes;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
