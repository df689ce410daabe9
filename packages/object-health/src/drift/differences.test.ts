import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differencesBetween, pathText } from "./differences.ts";

const places = (live: object, wanted: object): readonly string[] =>
  differencesBetween(live, wanted).map(({ path }) => pathText(path));

describe("the differences between two states of an object", () => {
  const containers = (...list: readonly object[]) => ({ spec: { containers: list } });

  it.each<[string, object, object, readonly string[]]>([
    ["none", { spec: { a: 1 } }, { spec: { a: 1 } }, []],
    ["a value", { spec: { a: 1 } }, { spec: { a: 2 } }, ["spec.a"]],
    ["a missing value", { spec: {} }, { spec: { a: 2 } }, ["spec.a"]],
    ["a value too many", { spec: { a: { b: 1 } } }, { spec: {} }, ["spec.a"]],
    [
      "the server's notes",
      { metadata: { resourceVersion: "1", uid: "a", generation: 1, managedFields: [] } },
      { metadata: {} },
      [],
    ],
    [
      "labels",
      { metadata: { labels: { "a.b/c": "1" } } },
      { metadata: { labels: {} } },
      [String.raw`metadata.labels.a\.b/c`],
    ],
    ["status", { status: { a: 1 } }, { status: { a: 2 } }, []],
    ["status deeper down", { spec: { status: 1 } }, { spec: { status: 2 } }, ["spec.status"]],
    [
      "an item with a name",
      containers({ name: "a", image: "x" }),
      containers({ name: "a", image: "y" }),
      ["spec.containers[a].image"],
    ],
    [
      "a named item too few",
      containers({ name: "a" }),
      containers({ name: "a" }, { name: "b" }),
      ["spec.containers[b]"],
    ],
    [
      "named items in another order",
      containers({ name: "b" }, { name: "a" }),
      containers({ name: "a" }, { name: "b" }),
      ["spec.containers"],
    ],
    ["an item without a name", { spec: [1, 2] }, { spec: [1, 3] }, ["spec[1]"]],
    ["fewer items without a name", { spec: [1] }, { spec: [1, 3] }, ["spec"]],
    ["a list that became a map", { spec: [1] }, { spec: { a: 1 } }, ["spec"]],
  ])("%s", (_what, live, wanted, expected) => expect(places(live, wanted)).toEqual(expected));

  const json = fc.dictionary(fc.string(), fc.jsonValue());

  it("are none between an object and itself", () => {
    fc.assert(
      fc.property(json, (spec) => {
        expect(places({ spec }, structuredClone({ spec }))).toEqual([]);
      }),
    );
  });

  it("are symmetric, and not empty whenever the objects differ", () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        const found = places({ spec: left }, { spec: right });
        expect(places({ spec: right }, { spec: left }).toSorted()).toEqual(found.toSorted());
        const isSame = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
        expect(found.length > 0).toBe(!isSame);
      }),
    );
  });
});

/** The same data with keys in order, for a comparison independent of the code under test. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}
