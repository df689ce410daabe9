import { valueAt } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arePoolsReadable, emptyDraft, newPool, parseDraft, poolsOf, textAt, withValueAt } from "./draft.ts";

describe("withValueAt", () => {
  it.each([
    ["sets a nested value", {}, "a.b.c", 1, { a: { b: { c: 1 } } }],
    ["keeps siblings", { a: { x: 1 } }, "a.b", 2, { a: { x: 1, b: 2 } }],
    ["removes a value and its empty parents", { a: { b: { c: 1 } } }, "a.b.c", undefined, {}],
    ["removes a value beside siblings", { a: { b: 1, c: 2 } }, "a.b", undefined, { a: { c: 2 } }],
    ["replaces a non-object parent", { a: 5 }, "a.b", 1, { a: { b: 1 } }],
  ])("%s", (_name, spec, path, value, expected) => {
    expect(withValueAt(spec, path, value)).toEqual(expected);
  });

  it("is readable at the path, and removal restores the spec", () => {
    const name = fc.stringMatching(/^[a-z]{1,3}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.integer(), (names, value) => {
        const path = names.join(".");
        const spec = withValueAt({ other: 1 }, path, value);
        expect(valueAt(spec, path)).toBe(value);
        if (names[0] !== "other") expect(withValueAt(spec, path, undefined)).toEqual({ other: 1 });
      }),
    );
  });
});

it("returns numbers as text, and objects as undefined", () => {
  expect([textAt({ a: 3 }, "a"), textAt({ a: "3Gi" }, "a"), textAt({ a: {} }, "a")]).toEqual(["3", "3Gi", undefined]);
});

it("omits invalid pools, and gives new pools unique names", () => {
  const pools = poolsOf({ workerPools: [{ name: "pool-1", replicas: 1 }, { name: "half" }, 5] });
  expect(pools).toEqual([{ name: "pool-1", replicas: 1 }]);
  expect([
    arePoolsReadable({ workerPools: pools }),
    arePoolsReadable({}),
    arePoolsReadable({ workerPools: [5] }),
  ]).toEqual([true, true, false]);
  expect(newPool(pools).name).toBe("pool-2");
  expect(newPool([{ name: "pool-2", replicas: 1 }]).name).toBe("pool-1");
});

describe("parseDraft", () => {
  it("parses a stored draft", () => {
    const draft = {
      ...emptyDraft("dev"),
      name: "shop",
      spec: { workers: { replicas: 2 } },
      addons: ["x"],
      yaml: "# a",
    };
    expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  });

  it.each([[null], ["no json"], ["[]"], ["{}"], ['{"name":1,"environment":"","labels":{},"spec":{},"addons":[]}']])(
    "rejects %j",
    (text) => expect(parseDraft(text)).toBeUndefined(),
  );
});
