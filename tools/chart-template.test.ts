import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Choice, fillMarkers, Filled, mergeVariants, Nested, renderTemplate, type Template } from "./chart-template.ts";

const variants = { condition: "several", number: { first: 1, second: 7919, expression: "int count" } };

/** JSON with named fields. */
const json = fc.letrec<{ value: Template; map: Record<string, Template> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }).filter((text) => !text.includes("{{")),
    fc.constantFrom("yes", "on", "null", "1e3", "012", "12:30", "", " a", "a: b", "- a", "#", "2001-01-01", "~"),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("map"),
  ),
  map: fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => !key.includes("{{")),
    tie("value"),
    { maxKeys: 4 },
  ),
}));

describe("renderTemplate", () => {
  it("writes plain objects so that every YAML version parses them back unchanged", () => {
    fc.assert(
      fc.property(json.map, (map) => {
        const object = { kind: "Any", ...map };
        const text = renderTemplate([object]);
        expect(parse(text)).toEqual(object);
        expect(parse(text, { version: "1.1", merge: false })).toEqual(object);
      }),
    );
  });

  it("escapes template syntax in text", () => {
    expect(renderTemplate([{ rule: "a {{ b }}" }])).toBe('---\nrule: "a {{ "{{" }} b }}"\n');
  });

  it("writes template expressions and conditional fields", () => {
    const text = renderTemplate([
      {
        name: new Filled(".Values.name | quote"),
        list: ["a", new Choice("x", ["b"]), new Nested(".Values.more")],
        pod: { resources: new Nested(".Values.resources"), type: new Choice("x", "A", "B") },
        none: new Choice("x", undefined, { a: 1 }),
      },
    ]);
    expect(text).toMatchInlineSnapshot(`
      "---
      name: {{ .Values.name | quote }}
      list:
        - a
        {{- if x }}
        - b
        {{- end }}
        {{- toYaml .Values.more | nindent 2 }}
      pod:
        resources:
          {{- toYaml .Values.resources | nindent 4 }}
        {{- if x }}
        type: A
        {{- else }}
        type: B
        {{- end }}
      {{- if not (x) }}
      none:
        a: 1
      {{- end }}
      "
    `);
  });

  it("writes one condition for consecutive objects with the same condition", () => {
    const [a, b, c] = ["a", "b", "c"].map((name) => ({ name }));
    const text = renderTemplate([new Choice("x", a), new Choice("x", b), new Choice("y", c)]);
    expect(text).toBe("{{- if x }}\n---\nname: a\n---\nname: b\n{{- end }}\n{{- if y }}\n---\nname: c\n{{- end }}\n");
  });
});

describe("mergeVariants", () => {
  it.each<[string, Template, Template, Template]>([
    ["the same", { a: [1, "b"] }, { a: [1, "b"] }, { a: [1, "b"] }],
    ["the number that stands for a value", { n: 1 }, { n: 7919 }, { n: new Filled("int count") }],
    ["another number", { n: 2 }, { n: 3 }, { n: new Choice("several", 3, 2) }],
    ["a field more", {}, { a: 1 }, { a: new Choice("several", 1) }],
    ["a field less", { a: 1 }, {}, { a: new Choice("several", undefined, 1) }],
    ["an item between", ["a", "z"], ["a", "b", "z"], ["a", new Choice("several", ["b"]), "z"]],
    ["an item less", ["a", "b"], ["a"], ["a", new Choice("several", undefined, ["b"])]],
    ["another item", ["a", "b"], ["a", "c"], ["a", new Choice("several", ["c"], ["b"])]],
  ])("keeps shared fields and makes the rest conditional: %s", (_title, first, second, merged) => {
    expect(mergeVariants(first, second, variants)).toEqual(merged);
  });

  it("returns each variant under its own condition", () => {
    fc.assert(
      fc.property(json.value, json.value, (first, second) => {
        const merged = mergeVariants(first, second, variants);
        expect(resolve(merged, false)).toEqual(first);
        expect(resolve(merged, true)).toEqual(second);
      }),
    );
  });
});

describe("fillMarkers", () => {
  const expressions = { "marker-a": ".A", "marker-b": 'include "b" .' };

  it.each([
    ["marker-a", ".A | quote"],
    ["marker-b", 'include "b" . | quote'],
    ["100% of marker-a/x-marker-b", 'printf "100%% of %s/x-%s" .A (include "b" .) | quote'],
  ])("replaces markers with an expression in %j", (text, expression) => {
    expect(fillMarkers({ a: [text] }, expressions)).toEqual({ a: [new Filled(expression)] });
  });

  it("leaves everything else unchanged", () => {
    const template = { a: ["marker", 1, null, true], b: new Nested(".Values.x") };
    expect(fillMarkers(template, expressions)).toEqual(template);
  });

  it("rejects a marker that is the name of a field", () => {
    expect(() => fillMarkers({ "marker-a": 1 }, expressions)).toThrow("name of a field");
  });
});

/** The part of a template that remains when the condition is true, or false. */
function resolve(template: Template, holds: boolean): Template {
  const inner = (value: Template): Template => resolve(value, holds);
  const chosen = (choice: Choice): Template => (holds ? choice.whenTrue : choice.whenFalse);
  if (template instanceof Filled) return holds ? variants.number.second : variants.number.first;
  if (template instanceof Choice) return inner(chosen(template));
  if (Array.isArray(template)) {
    return template.flatMap((item: Template) =>
      item instanceof Choice ? ((chosen(item) ?? []) as readonly Template[]).map(inner) : [inner(item)],
    );
  }
  if (typeof template !== "object" || template === null) return template;
  const entries = Object.entries(template).map(([key, value]) => [key, inner(value as Template)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
