import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignedValues } from "./assigned-values.ts";
import { closestName } from "./closest-name.ts";
import { formFields } from "./form-fields.ts";
import { escapeKey } from "./merge-values.ts";

describe("values from command-line arguments", () => {
  it.each([
    ["a.b=c", { a: { b: "c" } }],
    ["a=1", { a: 1 }],
    ["a=true", { a: true }],
    ["a=null", { a: null }],
    ["a=", { a: "" }],
    ['a=["x",1]', { a: ["x", 1] }],
    ['a="1"', { a: "1" }],
    ["a=b=c", { a: "b=c" }],
    ["a=1.2.3", { a: "1.2.3" }],
    [String.raw`a\.b.c=1`, { "a.b": { c: 1 } }],
  ])("%s", (word, values) => {
    expect(assignedValues([word])).toEqual([values]);
  });

  it.each(["a", "=1", "a..b=1", ".a=1", "a.=1", ""])("refuses %j", (word) => {
    expect(() => assignedValues([word])).toThrow("is not PATH=VALUE");
  });

  it("restore every escaped key", () => {
    const key = fc.string({ minLength: 1 }).filter((text) => !text.includes("="));
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), (keys) => {
        const [values] = assignedValues([`${keys.map(escapeKey).join(".")}=1`]);
        const found = keys.reduce<unknown>((place, each) => (place as Record<string, unknown>)[each], values);
        expect(found).toBe(1);
      }),
    );
  });
});

describe("the suggested name", () => {
  const names = ["traefik", "ingress-nginx", "cert-manager", "keda"];
  it.each([
    ["traefick", "traefik"],
    ["nginx", "ingress-nginx"],
    ["certmanager", "cert-manager"],
    ["kedaa", "keda"],
    ["redis", undefined],
    ["x", undefined],
  ])("%s: %s", (given, meant) => {
    expect(closestName(given, names)).toBe(meant);
  });
});

describe("fields of a form", () => {
  it("are the values of a schema, by their path", () => {
    const schema = {
      type: "object",
      required: ["server"],
      properties: {
        server: {
          type: "object",
          required: ["url"],
          properties: { url: { type: "string", title: "Address" }, "a.b": { enum: ["x", "y"], default: "x" } },
        },
        replicas: { type: "integer", title: "Replicas", description: "How many.", default: 1 },
      },
    };
    expect(formFields(schema)).toEqual([
      { path: "server.url", title: "Address", description: "", type: "string", preset: undefined, isRequired: true },
      { path: String.raw`server.a\.b`, title: "", description: "", type: "x|y", preset: "x", isRequired: false },
      { path: "replicas", title: "Replicas", description: "How many.", type: "integer", preset: 1, isRequired: false },
    ]);
    expect(formFields(undefined)).toEqual([]);
  });
});
