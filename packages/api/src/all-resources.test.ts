import { parseObject, rootSchema, type StructuralSchema } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { allResources } from "./all-resources.ts";

function* undescribed(schema: StructuralSchema, path: string): Generator<string> {
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const isMetadata = path === "" && name === "metadata";
    if (!isMetadata && (child.description ?? "") === "") yield `${path}.${name}`;
    yield* undescribed(child, `${path}.${name}`);
  }
  if (schema.items !== undefined) yield* undescribed(schema.items, `${path}[]`);
  if (schema.additionalProperties !== undefined) yield* undescribed(schema.additionalProperties, `${path}.*`);
}

describe.each(allResources.map((resource) => [resource.kind, resource] as const))("%s", (_kind, resource) => {
  it("describes every field", () => {
    expect([...undescribed(rootSchema(resource), "")]).toEqual([]);
  });

  it("has an example of its own kind that parses", () => {
    expect(parseObject(resource, resource.example)).toMatchObject({ kind: resource.kind });
  });

  it("has conditions and observedGeneration wherever it has a status", () => {
    const status = rootSchema(resource).properties?.["status"];
    const isComplete =
      status === undefined ||
      ("conditions" in (status.properties ?? {}) && "observedGeneration" in (status.properties ?? {}));
    expect(isComplete).toBe(true);
  });

  it("shows its age in kubectl get", () => {
    expect(resource.columns.at(-1)).toMatchObject({ name: "Age", jsonPath: ".metadata.creationTimestamp" });
  });
});

it("no two kinds share a plural and group, or a short name within a group", () => {
  const names = allResources.map(({ plural, group }) => `${plural}.${group}`);
  const short = allResources.flatMap((resource) => resource.shortNames.map((name) => `${name}.${resource.group}`));
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(short).size).toBe(short.length);
});
