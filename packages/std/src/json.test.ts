import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepEqual, deepFreeze, isRecord, stableStringify, valueAt } from "./json.ts";

/** JSON values in which some keys carry undefined, as objects built in code do. */
const jsonWithGaps = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -0, "", "a"),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), fc.option(tie("value"), { nil: undefined }), { maxKeys: 4 }),
  ),
})).value;

const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function shuffleKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffleKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffleKeys(inner)]),
  );
}

describe("isRecord", () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ["text", false],
  ])("of %j is %s", (value, expected) => {
    expect(isRecord(value)).toBe(expected);
  });
});

describe("deepEqual", () => {
  it.each<[string, unknown, unknown]>([
    ["the order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["a key that is undefined", { a: 1, b: undefined }, { a: 1 }],
    ["a key that is undefined further down", { a: [{ b: undefined }] }, { a: [{}] }],
    ["a key that every object inherits", { constructor: undefined }, {}],
    ["the sign of zero, which JSON does not carry", { a: -0 }, { a: 0 }],
  ])("ignores %s", (_what, left, right) => {
    expect(deepEqual(left, right)).toBe(true);
    expect(deepEqual(right, left)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ["values", { a: 1 }, { a: 2 }],
    ["types", { a: 1 }, { a: "1" }],
    ["null and absence", { a: null }, {}],
    ["an extra key", { a: 1 }, { a: 1, b: 1 }],
    ["the order of a list", [1, 2], [2, 1]],
    ["the length of a list", [1], [1, 1]],
    ["a list and an object with the same keys", ["x"], { 0: "x" }],
    ["an empty list and an empty object", [], {}],
    ["false and absence", { a: false }, {}],
    ["an own key named __proto__ and its absence", JSON.parse('{"__proto__":{}}'), {}],
  ])("distinguishes %s", (_what, left, right) => {
    expect(deepEqual(left, right)).toBe(false);
    expect(deepEqual(right, left)).toBe(false);
  });

  it("holds between a value and its parsed JSON", () => {
    fc.assert(
      fc.property(jsonWithGaps, (value) => {
        expect(deepEqual(value, onTheWire(value))).toBe(true);
      }),
    );
  });

  it("agrees with the JSON text for any two values", () => {
    fc.assert(
      fc.property(jsonWithGaps, jsonWithGaps, (left, right) => {
        expect(deepEqual(left, right)).toBe(stableStringify(left) === stableStringify(right));
      }),
    );
  });
});

describe("stableStringify", () => {
  it("sorts keys at every depth and keeps the order of lists", () => {
    expect(stableStringify({ b: [{ d: 1, c: 2 }, "x"], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},"x"]}');
  });

  it("returns the same text for any order of keys", () => {
    fc.assert(
      fc.property(jsonWithGaps, (value) => {
        expect(stableStringify(shuffleKeys(value))).toBe(stableStringify(value));
      }),
    );
  });

  it("preserves everything that JSON can represent", () => {
    fc.assert(
      fc.property(jsonWithGaps, (value) => {
        expect(JSON.parse(stableStringify(value))).toEqual(onTheWire(value));
      }),
    );
  });
});

describe("deepFreeze", () => {
  it("returns the same value", () => {
    const value = { a: 1 };
    expect(deepFreeze(value)).toBe(value);
  });

  it.each([[1], ["text"], [null], [undefined]])("does not change %j", (value) => {
    expect(deepFreeze(value)).toBe(value);
  });

  it("prevents later changes at any depth", () => {
    const value = deepFreeze({ list: [{ name: "a" }], map: { key: { inner: 1 } } });
    expect(() => Object.assign(value.list[0] ?? {}, { name: "b" })).toThrow(TypeError);
    expect(() => value.list.push({ name: "c" })).toThrow(TypeError);
    expect(() => Object.assign(value.map.key, { inner: 2 })).toThrow(TypeError);
  });

  it("does not traverse frozen values again, and so terminates on cycles", () => {
    const value: { self?: unknown } = {};
    value.self = value;
    expect(Object.isFrozen(deepFreeze(value))).toBe(true);
  });

  it("freezes every nested object without changing values", () => {
    fc.assert(
      fc.property(jsonWithGaps, (value) => {
        const before = stableStringify(value);
        expect(everyObjectIsFrozen(deepFreeze(value))).toBe(true);
        expect(stableStringify(value)).toBe(before);
      }),
    );
  });
});

describe("valueAt", () => {
  const document = { a: { "b.c": 1, list: [{ name: "first" }], none: null }, "": 2 };

  it.each<[string, string | readonly (string | number)[], unknown]>([
    ["a dotted path", "a.none", null],
    ["steps, of which one has a dot", ["a", "b.c"], 1],
    ["a step into a list", ["a", "list", 0, "name"], "first"],
    ["no steps", [], document],
    ["an empty key", "", 2],
    ["a missing key", "a.x.y", undefined],
    ["a key of a list", "a.list.0", undefined],
    ["a position in a map", ["a", 0], undefined],
    ["a key below null", "a.none.x", undefined],
    ["an inherited property", "a.constructor.name", undefined],
  ])("reads %s", (_what, path, value) => {
    expect(valueAt(document, path)).toEqual(value);
  });
});

function everyObjectIsFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(everyObjectIsFrozen);
}
