import { isRecord } from "@butler/std";
import { escapeKey } from "./merge-values.ts";

/** One value that users can set. */
export interface FormField {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Such as `integer`, or the choices of an enumeration. */
  readonly type: string;
  /** Undefined without a default. */
  readonly preset: unknown;
  readonly isRequired: boolean;
}

/** The fields of a form for a values schema, in the order of the schema. */
export function formFields(schema: Readonly<Record<string, unknown>> | undefined): readonly FormField[] {
  return schema === undefined ? [] : fieldsBelow(schema, { path: "", isRequired: true });
}

interface Place {
  readonly path: string;
  readonly isRequired: boolean;
}

function fieldsBelow(schema: Readonly<Record<string, unknown>>, place: Place): readonly FormField[] {
  const { properties } = schema;
  if (!isRecord(properties)) return [fieldOf(schema, place)];
  const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly unknown[]) : [];
  return Object.entries(properties).flatMap(([key, child]) =>
    isRecord(child)
      ? fieldsBelow(child, {
          path: place.path === "" ? escapeKey(key) : `${place.path}.${escapeKey(key)}`,
          isRequired: place.isRequired && required.includes(key),
        })
      : [],
  );
}

function fieldOf(schema: Readonly<Record<string, unknown>>, { path, isRequired }: Place): FormField {
  const words = (key: string): string => (typeof schema[key] === "string" ? schema[key] : "");
  const choices = schema["enum"];
  return {
    path,
    title: words("title"),
    description: words("description"),
    type: Array.isArray(choices) ? choices.join("|") : [schema["type"] ?? "any"].flat().map(String).join("|"),
    preset: schema["default"],
    isRequired,
  };
}
