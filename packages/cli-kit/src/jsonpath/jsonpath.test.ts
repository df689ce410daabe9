import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonPath } from "./index.ts";

const list = {
  kind: "List",
  items: [
    { metadata: { name: "a", labels: { "app.kubernetes.io/name": "web", tier: "gold" } }, size: 3, isUp: true },
    { metadata: { name: "b", labels: { tier: "iron" } }, size: 10, isUp: false, ports: [80, 443] },
    { metadata: { name: "c" }, size: 7, note: null },
  ],
};

/** Building blocks of templates. */
const pieces = [
  "{",
  "}",
  "[",
  "]",
  "?(",
  ")",
  ".",
  "..",
  "*",
  "@",
  "$",
  "==",
  "=",
  "<",
  ">=",
  "!",
  "&&",
  "'",
  '"',
  "\\",
  " ",
];
pieces.push("a", "1", ":", ",", "-", "end", "range ", "true");

describe("jsonPath", () => {
  it.each([
    ["{.kind}", "List"],
    [".kind", "List"],
    ["$.kind", "List"],
    ["kind is {.kind}!", "kind is List!"],
    ["{.items[*].metadata.name}", "a b c"],
    ["{.items[0].metadata.name}", "a"],
    ["{.items[-1].metadata.name}", "c"],
    ["{.items[-2].metadata.name}", "b"],
    ["{.items[0:2].metadata.name}", "a b"],
    ["{.items[1:].metadata.name}", "b c"],
    ["{.items[:-1].metadata.name}", "a b"],
    ["{.items[::2].metadata.name}", "a c"],
    ["{.items[0,2].metadata.name}", "a c"],
    ["{.items[0]['size','isUp']}", "3 true"],
    ["{.items[9].metadata.name}", ""],
    ["{.absent.field}", ""],
    ["{.items[0].metadata.labels['app.kubernetes.io/name']}", "web"],
    [String.raw`{.items[0].metadata.labels.app\.kubernetes\.io/name}`, "web"],
    ["{.items[1].ports}", "[80,443]"],
    ["{.items[1].ports[*]}", "80 443"],
    ["{.items[2].note}", "null"],
    ["{..name}", "a b c"],
    ["{.items[0].metadata.labels.*}", "web gold"],
    ["{.items[?(@.size>5)].metadata.name}", "b c"],
    ["{.items[?(@.size >= 7)].metadata.name}", "b c"],
    ["{.items[?(@.size<=3)].metadata.name}", "a"],
    ['{.items[?(@.metadata.name=="b")].size}', "10"],
    ["{.items[?(@.metadata.name!='b')].size}", "3 7"],
    ["{.items[?(@.isUp==true)].metadata.name}", "a"],
    ["{.items[?(@.ports)].metadata.name}", "b"],
    ["{.items[?(@.metadata.labels.tier)].metadata.name}", "a b"],
    ["{.items[?(@.metadata.labels.tier=='gold')].metadata.labels.tier}", "gold"],
    ['{range .items[*]}{.metadata.name}={.size}{"\\n"}{end}', "a=3\nb=10\nc=7\n"],
    ['{range .items[?(@.size>5)]}{@.metadata.name}{"\\t"}{end}', "b\tc\t"],
    ["{range .items[*]}{$.kind}/{.metadata.name} {end}", "List/a List/b List/c "],
    ["{range .items[1]}{range .ports[*]}<{@}>{end}{end}", "<80><443>"],
    ["{'it is'} { .kind }", "it is List"],
    ["nothing else", "nothing else"],
    ["", ""],
  ])("%s is %j", (template, text) => {
    expect(jsonPath(template)(list)).toBe(text);
  });

  it.each([
    ["{.items[}", "brackets must contain", 9],
    ["{.items[0}", 'missing "]"', 10],
    ["{.items", 'missing "}"', 8],
    ["{}", "empty braces", 2],
    ["{kind}", "a path must start", 2],
    ["{range .items[*]}{.a}", "without a matching {end}", 1],
    ["a{end}", "without a matching range", 2],
    ['{"abc}', "unterminated quoted string", 2],
    ["{.items[?(@.a=1)]}", '"=="', 14],
    ["{.items[?(@.a==1 && @.b==2)]}", 'missing ")"', 18],
    ["{.items[?(@.a && @.b)]}", "chain multiple filters", 15],
    ["{.a b}", 'missing "}"', 5],
    ["{..}", "missing field name", 4],
    ["{.items[::0]}", "at least 1", 12],
    ["{.items[-]}", "not a number", 10],
  ])("rejects %s with the position of the error", (template, message, place) => {
    expect(() => jsonPath(template)).toThrow(message);
    expect(() => jsonPath(template)).toThrow(new RegExp(`at character ${place}$`));
  });

  it("finds every field by its quoted name", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, value) => {
        const quoted = name.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
        const found = jsonPath(`{['${quoted}']}`)({ [name]: value });
        // Inherited properties of objects are not fields of the value.
        expect(found).toBe(typeof value === "string" ? value : JSON.stringify(value));
      }),
    );
  });

  it("either evaluates a template or reports the position of the error", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...pieces) }), (template) => {
        try {
          expect(typeof jsonPath(template)(list)).toBe("string");
        } catch (error) {
          expect(String(error)).toMatch(/at character \d+$/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
