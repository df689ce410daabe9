import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecord } from "@butler/std";
import { escapeKey, mergeValues, type ValueOrigin, type Values, valuesLimits } from "./merge-values.ts";

const layer = (from: ValueOrigin, values: Values | undefined) => ({ from, values });

/** Values as they come from JSON: a parsed `__proto__` is a key like any other. */
const someValues = fc
  .dictionary(
    fc.constantFrom("a", "b", "c.d", "__proto__", "constructor"),
    fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom<unknown>(null, 1, "x", true, [], [null, 1], [{ a: null }]),
        fc.dictionary(fc.constantFrom("a", "b", "c.d", "__proto__"), tie("value"), { maxKeys: 3 }),
      ),
    })).value,
    { maxKeys: 4 },
  )
  .map((values) => JSON.parse(JSON.stringify(values)) as Values);

describe("merging values", () => {
  it.each([
    { about: "later scalars win", layers: [{ a: 1 }, { a: 2 }], values: { a: 2 } },
    {
      about: "maps are merged deeply",
      layers: [{ a: { b: 1, c: 1 } }, { a: { c: 2 } }],
      values: { a: { b: 1, c: 2 } },
    },
    { about: "lists are replaced", layers: [{ a: [1, 2, 3] }, { a: [4] }], values: { a: [4] } },
    { about: "a scalar replaces a map", layers: [{ a: { b: 1 } }, { a: 1 }], values: { a: 1 } },
    { about: "a map replaces a scalar", layers: [{ a: 1 }, { a: { b: 1 } }], values: { a: { b: 1 } } },
    { about: "null removes", layers: [{ a: { b: 1, c: 1 } }, { a: { b: null } }], values: { a: { c: 1 } } },
    { about: "null on an absent key is ignored", layers: [{ a: { b: null } }], values: { a: {} } },
    { about: "an empty map changes nothing", layers: [{ a: { b: 1 } }, { a: {} }], values: { a: { b: 1 } } },
    {
      about: "lists are not merged",
      layers: [{ a: [null, { b: null }] }],
      values: { a: [null, { b: null }] },
    },
    { about: "an absent layer is ignored", layers: [{ a: 1 }, undefined], values: { a: 1 } },
  ])("$about", ({ layers, values }) => {
    const origins: ValueOrigin[] = ["definition", "addon"];
    const merged = mergeValues(layers.map((each, at) => layer(origins[at] ?? "addon", each)));
    expect(merged.values).toEqual(values);
  });

  it("reports the source of each value, with dots in keys escaped", () => {
    const { origins } = mergeValues([
      layer("definition", { controller: { "ingress.class": "a", replicas: 1 }, extra: {} }),
      layer("environment", { controller: { replicas: 2 } }),
      layer("addon", { list: [1, 2] }),
    ]);
    expect(origins).toEqual([
      { path: String.raw`controller.ingress\.class`, from: "definition" },
      { path: "controller.replicas", from: "environment" },
      { path: "extra", from: "definition" },
      { path: "list", from: "addon" },
    ]);
  });

  it("is the same when folded from the left", () => {
    fc.assert(
      fc.property(someValues, someValues, someValues, (first, second, third) => {
        const atOnce = mergeValues([layer("definition", first), layer("team", second), layer("addon", third)]);
        const early = mergeValues([layer("definition", first), layer("team", second)]);
        const folded = mergeValues([layer("definition", early.values), layer("addon", third)]);
        expect(folded.values).toEqual(atOnce.values);
      }),
    );
  });

  it("names each leaf of the result once, with the last layer that set it", () => {
    fc.assert(
      fc.property(someValues, someValues, (first, second) => {
        const { values, origins } = mergeValues([layer("definition", first), layer("addon", second)]);
        expect(origins.map(({ path }) => path).toSorted()).toEqual(leaves(values, []).map(pathText).toSorted());
        for (const keys of leaves(values, [])) {
          const { from } = origins.find(({ path }) => path === pathText(keys)) ?? {};
          // A leaf of the later layer is the later layer's; an empty map may be either's.
          const theirs = keys.reduce<unknown>(own, second);
          if (theirs !== undefined && !isRecord(theirs)) expect(from).toBe("addon");
          if (theirs === undefined) expect(from).toBe("definition");
        }
      }),
    );
  });

  it("treats keys that objects inherit as data and changes no input", () => {
    fc.assert(
      fc.property(someValues, someValues, (first, second) => {
        const before = JSON.stringify([first, second]);
        const { values } = mergeValues([layer("definition", first), layer("addon", second)]);
        expect(JSON.stringify([first, second])).toBe(before);
        expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
        expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
      }),
    );
    const evil = JSON.parse('{"__proto__": {"polluted": true}}') as Values;
    const { values, origins } = mergeValues([layer("addon", evil)]);
    expect(JSON.stringify(values)).toBe('{"__proto__":{"polluted":true}}');
    expect(origins).toEqual([{ path: "__proto__.polluted", from: "addon" }]);
  });

  it.each([
    ["too deep", nested(valuesLimits.depth + 2), "nested"],
    ["too many", { list: Array.from({ length: valuesLimits.entries + 1 }, () => 1) }, "entries"],
    ["too long", { text: "x".repeat(valuesLimits.characters + 1) }, "larger"],
  ])("refuses values that are %s", (_, values, word) => {
    expect(() => mergeValues([layer("team", values)])).toThrow(new RegExp(`of the team layer .*${word}`));
  });
});

function nested(depth: number): Values {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

function own(place: unknown, key: string): unknown {
  return isRecord(place) && Object.hasOwn(place, key) ? place[key] : undefined;
}

function leaves(value: unknown, at: readonly string[]): readonly (readonly string[])[] {
  if (!isRecord(value) || (Object.keys(value).length === 0 && at.length > 0)) return [at];
  return Object.entries(value).flatMap(([key, child]) => leaves(child, [...at, key]));
}

const pathText = (keys: readonly string[]): string => keys.map(escapeKey).join(".");
