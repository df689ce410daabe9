import { describe, expect, it } from "vitest";
import { deepFreeze } from "@butler/std";
import { schemaFault, valuesFault } from "./values-schema.ts";

const schema = deepFreeze({
  type: "object",
  required: ["host"],
  properties: {
    host: { type: "string", minLength: 3, pattern: "^[a-z.]+$" },
    replicas: { type: "integer", minimum: 1, maximum: 5 },
    mode: { enum: ["fast", "safe"] },
    "a.b": { type: "boolean" },
    list: { type: "array", items: { type: "string" } },
    either: { oneOf: [{ type: "string" }, { type: "integer" }] },
    shared: { $ref: "#/$defs/flag" },
    closed: { type: "object", additionalProperties: false },
  },
  $defs: { flag: { type: "boolean" } },
});

describe("values against a schema", () => {
  it.each([
    { values: {}, fault: "values must include host" },
    { values: { host: "ok.example", replicas: 0 }, fault: "replicas must be at least 1" },
    { values: { host: "ok.example", replicas: 1.5 }, fault: "replicas must be integer" },
    { values: { host: "ok.example", mode: "slow" }, fault: "mode must be one of fast, safe" },
    { values: { host: "ok.example", "a.b": 1 }, fault: String.raw`a\.b must be boolean` },
    { values: { host: "ok.example", list: ["a", 1] }, fault: "list.1 must be string" },
    { values: { host: "ok.example", either: true }, fault: "either must match exactly one of the alternatives" },
    { values: { host: "ok.example", shared: 1 }, fault: 'shared must be "boolean"' },
    { values: { host: "ok.example", closed: { x: 1 } }, fault: "closed.x is not allowed" },
    { values: { host: "UP" }, fault: "host must have at least 3 characters; host must match ^[a-z.]+$" },
  ])("$fault", ({ values, fault }) => {
    expect(valuesFault(schema, values)).toBe(fault);
  });

  it("accepts valid values, and any values without a schema", () => {
    expect(valuesFault(schema, { host: "ok.example", replicas: 2, unheard: { of: 1 } })).toBeUndefined();
    expect(valuesFault(undefined, { anything: 1 })).toBeUndefined();
  });

  it("lists the first few faults, counts the rest, and never quotes a value", () => {
    const told = valuesFault(schema, { host: "SECRET1", mode: "SECRET2", replicas: 9, shared: "SECRET3", list: 1 });
    expect(told).toMatch(/; and 2 more$/);
    expect(told).not.toContain("SECRET");
  });

  it.each([
    [{ properties: { a: { $ref: "https://example.com/schema.json" } } }, "refers to https://example.com/schema.json"],
    [{ properties: { a: { $ref: "#/$defs/missing" } } }, "refers to #/$defs/missing"],
    [{ properties: { a: { type: "text" } } }, 'unknown type "text"'],
    [{ properties: { a: { pattern: "(" } } }, "Invalid regular expression"],
    [{ allOf: [{ $ref: "#/allOf/0" }] }, "call stack"],
  ])("rejects an invalid schema: %j", (broken, why) => {
    expect(schemaFault(broken)).toContain(why);
    expect(valuesFault(broken, {})).toContain("invalid schema");
  });
});
