import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonPicker, type PickOptions } from "./json-picker.ts";

const wanted = ["a", "b.c", "b.d.e", "f"];
const roomy = { wanted, maximumBytes: 1_000_000 };

/** Reads a text in pieces of the given length. */
function pick(text: string, length = 7, options: PickOptions = roomy): Record<string, unknown> {
  const picker = new JsonPicker(options);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !picker.isDone; at += length) picker.write(bytes.subarray(at, at + length));
  return Object.fromEntries(picker.end());
}

describe("JsonPicker", () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    [
      "values of every type",
      { a: null, b: { c: -1.5e3, d: { e: [true, { x: "}" }] } }, f: 'q"\\' },
      {
        a: null,
        "b.c": -1500,
        "b.d.e": [true, { x: "}" }],
        f: 'q"\\',
      },
    ],
    ["none from a list", { b: [{ c: 1 }, { d: { e: 2 } }] }, {}],
    ["none from below another value", { x: { a: 1, b: { c: 2 } }, f: 3 }, { f: 3 }],
    ["a value that is no map where one is expected", { b: 1, a: 2 }, { a: 2 }],
  ])("picks %s", (_what, document, found) => {
    for (const length of [1, 2, 5, 1_000]) {
      expect(pick(JSON.stringify(document), length)).toEqual(found);
      expect(pick(JSON.stringify(document, undefined, 2), length)).toEqual(found);
    }
  });

  it("agrees with JSON.parse about any document, in pieces of any length", () => {
    const inner = fc.dictionary(fc.constantFrom("c", "d", "x"), fc.jsonValue());
    const document = fc.record(
      { a: fc.jsonValue(), b: inner, f: fc.jsonValue(), x: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 50 }), fc.boolean(), (value, length, isSpaced) => {
        const text = JSON.stringify(value, undefined, isSpaced ? 1 : undefined);
        const parsed = JSON.parse(text) as Record<string, Record<string, Record<string, unknown>>>;
        const { a, b, f } = parsed;
        const d = b?.["d"];
        const e = typeof d === "object" && d !== null && !Array.isArray(d) ? d["e"] : undefined;
        const all = { a, "b.c": b?.["c"], "b.d.e": e, f };
        const found = Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined));
        expect(pick(text, length)).toEqual(found);
      }),
    );
  });

  it("needs nothing behind the last value", () => {
    expect(pick('{"a":1,"b":{"c":2},"f":[broken', 1, { ...roomy, last: "b.c" })).toEqual({ a: 1, "b.c": 2 });
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["a list", "[]"],
    ["a text", '"a"'],
    ["an open map", '{"a":1'],
    ["a list closed as a map", '{"a":[1}'],
    ["a missing colon", '{"a" 1}'],
    ["a missing comma", '{"a":1 "b":2}'],
    ["a wanted value that is no JSON", '{"a":truth}'],
    ["an open text", '{"x":"abc'],
    ["a map without end", `{"x":${"[".repeat(100_000)}`],
  ])("rejects %s", (_what, text) => expect(() => pick(text)).toThrow("cannot read the release"));

  it("keeps no more than the limit, and nothing of what is not wanted", () => {
    const large = `{"x":"${"y".repeat(100_000)}","a":1}`;
    expect(pick(large, 1_000, { wanted, maximumBytes: 10 })).toEqual({ a: 1 });
    expect(() => pick('{"a":"0123456789"}', 4, { wanted, maximumBytes: 10 })).toThrow("it is too large");
  });
});
