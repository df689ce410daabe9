import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  anyValue,
  int32,
  int64,
  intOrString,
  listMap,
  openObject,
  openShape,
  quantity,
  setOf,
  stringMap,
} from "./fields.ts";
import { toStructuralSchema } from "./structural-schema.ts";

describe("rejects what Kubernetes cannot express, with the path", () => {
  it.each([
    [
      "a union",
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      "unions are not allowed in a structural schema",
    ],
    [
      "a discriminated union",
      z.discriminatedUnion("type", [z.object({ type: z.literal("a") }), z.object({ type: z.literal("b") })]),
      "unions are not allowed in a structural schema",
    ],
    ["two patterns", z.string().regex(/a/).regex(/b/), "multiple patterns and intersections"],
    ["an intersection of texts", z.intersection(z.string().min(1), z.string().max(2)), "multiple patterns and inter"],
    ["a look ahead", z.string().regex(/^(?=a)/), "the pattern uses lookaround"],
    ["a look behind", z.string().regex(/(?<!a)b/), "the pattern uses lookaround"],
    ["a backreference", z.string().regex(/(a)\1/), "the pattern uses a backreference"],
    ["a unicode escape", z.string().regex(/\u00b5/), "the pattern uses a backreference"],
    ["any value without a mark", z.any(), "the schema has no type"],
    ["a date", z.date(), "the schema has no type"],
  ])("%s", (_name, schema, message) => {
    const nested = z.object({ outer: z.object({ field: schema }) });
    expect(() => toStructuralSchema(nested, "spec")).toThrow(`spec.outer.field: ${message}`);
  });

  it("in lists and maps too", () => {
    expect(() => toStructuralSchema(z.object({ list: z.array(z.unknown()) }), "spec")).toThrow("spec.list[]: ");
    expect(() => toStructuralSchema(z.object({ map: z.record(z.string(), z.unknown()) }), "spec")).toThrow(
      "spec.map.*: ",
    );
  });

  it("but not what only looks like it", () => {
    expect(toStructuralSchema(z.string().regex(/^(?:a|b)\\1$/)).pattern).toBe(String.raw`^(?:a|b)\\1$`);
    expect(toStructuralSchema(z.string().regex(/^(?<year>[0-9]+)$/)).pattern).toBe("^(?<year>[0-9]+)$");
  });
});

describe("numbers", () => {
  it("have a format and none of Zod's default bounds", () => {
    expect(toStructuralSchema(z.int())).toEqual({ type: "integer", format: "int64" });
    expect(toStructuralSchema(int32())).toEqual({ type: "integer", format: "int32" });
    expect(toStructuralSchema(int64())).toEqual({ type: "integer", format: "int64" });
    expect(toStructuralSchema(z.number())).toEqual({ type: "number" });
  });

  it("keep explicit bounds", () => {
    expect(toStructuralSchema(int32().min(0).max(65535))).toEqual({
      type: "integer",
      format: "int32",
      minimum: 0,
      maximum: 65535,
    });
    expect(toStructuralSchema(z.int().positive())).toMatchObject({ minimum: 0, exclusiveMinimum: true });
    expect(toStructuralSchema(z.int().multipleOf(5))).toMatchObject({ multipleOf: 5 });
  });

  it("are accepted by the schema exactly when Zod accepts them", () => {
    const bound = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(bound, bound, fc.boolean(), fc.boolean(), bound, (low, high, isLowOpen, isHighOpen, value) => {
        const lower = isLowOpen ? z.int().gt(low) : z.int().gte(low);
        const zod = isHighOpen ? lower.lt(high) : lower.lte(high);
        const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = toStructuralSchema(zod);
        const isAbove = exclusiveMinimum === true ? value > (minimum ?? -Infinity) : value >= (minimum ?? -Infinity);
        const isBelow = exclusiveMaximum === true ? value < (maximum ?? Infinity) : value <= (maximum ?? Infinity);
        expect(isAbove && isBelow).toBe(zod.safeParse(value).success);
      }),
    );
  });
});

describe("texts", () => {
  it("keep formats that the API server validates, without the equivalent pattern", () => {
    expect(toStructuralSchema(z.iso.datetime())).toEqual({ type: "string", format: "date-time" });
    expect(toStructuralSchema(z.email())).toEqual({ type: "string", format: "email" });
  });

  it("drop formats that it does not validate, and keep their pattern", () => {
    const schema = toStructuralSchema(z.uuid());
    expect(schema.format).toBeUndefined();
    expect(schema.pattern).toContain("[0-9a-fA-F]{8}");
  });
});

describe("objects", () => {
  it("do not require fields with a default", () => {
    const schema = toStructuralSchema(
      z.object({
        required: z.string(),
        optional: z.string().optional(),
        defaulted: z.string().default("a"),
        nested: z.object({ port: int32().default(80) }).prefault({}),
      }),
    );
    expect(schema.required).toEqual(["required"]);
    expect(schema.properties?.["defaulted"]).toEqual({ type: "string", default: "a" });
    expect(schema.properties?.["nested"]).toEqual({
      type: "object",
      default: {},
      properties: { port: { type: "integer", format: "int32", default: 80 } },
    });
  });

  it("keep the last description", () => {
    const schema = z.object({ a: z.string().describe("inner").optional().describe("outer") });
    expect(toStructuralSchema(schema).properties?.["a"]?.description).toBe("outer");
  });

  it("do not forbid additional properties, which the API server handles", () => {
    expect(toStructuralSchema(z.strictObject({ a: z.boolean() }))).toEqual({
      type: "object",
      properties: { a: { type: "boolean" } },
      required: ["a"],
    });
  });

  it("are merged when two are intersected", () => {
    const both = z.intersection(z.object({ a: z.string() }), z.object({ b: z.string().optional() }));
    expect(toStructuralSchema(both)).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a"],
    });
  });

  it("can be nullable", () => {
    expect(toStructuralSchema(z.string().nullable())).toEqual({ type: "string", nullable: true });
  });
});

describe("shapes of Kubernetes", () => {
  it("lists with keys and sets", () => {
    expect(toStructuralSchema(listMap(z.object({ name: z.string() }), "name"))).toMatchObject({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    });
    expect(toStructuralSchema(setOf(z.string()).min(1).max(3))).toMatchObject({
      "x-kubernetes-list-type": "set",
      minItems: 1,
      maxItems: 3,
    });
  });

  it("open objects and open values", () => {
    const open = { "x-kubernetes-preserve-unknown-fields": true };
    expect(toStructuralSchema(openObject())).toEqual({ type: "object", ...open });
    expect(toStructuralSchema(anyValue())).toEqual(open);
    expect(toStructuralSchema(openShape({ name: z.string().optional() }))).toEqual({
      type: "object",
      properties: { name: { type: "string" } },
      ...open,
    });
  });

  it("maps, and int-or-string values", () => {
    expect(toStructuralSchema(stringMap())).toEqual({ type: "object", additionalProperties: { type: "string" } });
    const either = { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };
    expect(toStructuralSchema(intOrString())).toEqual(either);
    expect(toStructuralSchema(z.record(z.string(), quantity())).additionalProperties).toMatchObject(either);
  });
});
