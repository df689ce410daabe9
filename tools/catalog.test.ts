import { definitionFaults, unknownNames } from "@butler/addons";
import { AddonDefinition, builtinSource, labels } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { readCatalog } from "./catalog-files.ts";

const files = await readCatalog();
const definitions = [...files.values()].map((value) => parseObject(AddonDefinition, value));
const names = definitions.map(({ metadata }) => metadata.name);
const others = (name: string): AddonDefinition[] => definitions.filter(({ metadata }) => metadata.name !== name);

describe.each([...files])("%s of the catalog", (file, value) => {
  const definition = parseObject(AddonDefinition, value);
  const { metadata, spec } = definition;

  it("is named like its add-on and marked as built in", () => {
    expect(file).toBe(`${metadata.name}.yaml`);
    expect(metadata.labels).toEqual({ [labels.source]: builtinSource });
  });

  it("has no field that the kind does not define", () => {
    expect(JSON.parse(JSON.stringify(definition))).toMatchObject(value as object);
    expect(unknownFields(value, definition)).toEqual([]);
  });

  it("is valid, and depends only on add-ons of the catalog", () => {
    expect(definitionFaults(definition, others(metadata.name))).toEqual([]);
    expect(unknownNames(definition, others(metadata.name))).toEqual([]);
    expect((spec.conflictsWith ?? []).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("has a form description and links to documentation", () => {
    expect(spec.description).toMatch(/\.$/);
    expect(spec.links?.documentation).toMatch(/^https:\/\//);
    expect(spec.links?.source).toMatch(/^https:\/\//);
    expect(spec.valuesSchema).toMatchObject({ type: "object" });
    expect(untitled(spec.valuesSchema ?? {}, "")).toEqual([]);
  });

  it("uses its default values as presets in its schema", () => {
    expect(differences(spec.valuesSchema ?? {}, spec.defaults?.values ?? {}, "")).toEqual([]);
  });

  it("contains no password", () => {
    const found = JSON.stringify(spec.defaults?.values ?? {}).match(/"[a-z]*(password|token|secretkey)":"[^"]+"/gi);
    expect(found).toBeNull();
  });
});

describe("the catalog as a whole", () => {
  it("has an entry in each category", () => {
    const categories = new Set(definitions.map(({ spec }) => spec.category));
    const wanted = AddonDefinition.spec.shape.category.options.filter((category) => category !== "other");
    expect(wanted.filter((category) => !categories.has(category))).toEqual([]);
  });

  it("declares each conflict on both sides", () => {
    for (const { metadata, spec } of definitions) {
      for (const name of spec.conflictsWith ?? []) {
        expect(others(metadata.name).find((other) => other.metadata.name === name)?.spec.conflictsWith).toContain(
          metadata.name,
        );
      }
    }
  });
});

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Paths in the file that were lost by parsing it. */
function unknownFields(written: unknown, read: unknown, path = ""): string[] {
  if (!isFields(written)) return [];
  if (!isFields(read)) return [path];
  return Object.entries(written).flatMap(([key, value]) => unknownFields(value, read[key], `${path}.${key}`));
}

/** Schema values for which a form would have no label. */
function untitled(schema: Fields, path: string): string[] {
  const { properties } = schema;
  if (!isFields(properties)) return typeof schema["title"] === "string" ? [] : [path];
  return Object.entries(properties).flatMap(([key, child]) => untitled(child as Fields, `${path}.${key}`));
}

/** Values whose default in the schema differs from the definition's. */
function differences(schema: Fields, values: unknown, path: string): string[] {
  const { properties } = schema;
  if (isFields(properties)) {
    return Object.entries(properties).flatMap(([key, child]) =>
      differences(child as Fields, isFields(values) ? values[key] : undefined, `${path}.${key}`),
    );
  }
  const isSame = values === undefined || JSON.stringify(values) === JSON.stringify(schema["default"]);
  return isSame ? [] : [path];
}
