import { type DynamicObject } from "@butler/resource";
import { aConfigMap } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppliedMemory, appliedAnnotation, covers, digestOf, isApplied, project, withAppliedNote } from "./applied.ts";

const controller = "team";

/** What a plan states: no uid, no version. */
const desired = (data: Record<string, unknown>, metadata: object = {}): DynamicObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "blue", namespace: "default", ...metadata },
  data,
});

/** The live object after an apply of `stated`, with changes by others. */
const applied = (stated: DynamicObject, change: Record<string, unknown> = {}): DynamicObject => {
  const noted = withAppliedNote(stated, controller);
  const stored = aConfigMap({ uid: "one", version: 7, creationTimestamp: "2026-01-01T00:00:00Z" });
  return {
    ...noted,
    ...change,
    metadata: { ...stored.metadata, ...noted.metadata, ...(change["metadata"] as object) },
  };
};

describe("covers", () => {
  it.each<[string, unknown, unknown]>([
    ["the same value", { a: 1 }, { a: 1 }],
    ["more than was stated", { a: 1, b: 2, c: { d: 1 } }, { a: 1 }],
    ["more, further down", { a: { b: 1, extra: 2 } }, { a: { b: 1 } }],
    ["something where undefined was stated", { a: 1 }, { a: undefined }],
    ["nothing where undefined was stated", {}, { a: undefined }],
    ["nothing where null was stated", {}, { a: null }],
    ["nothing where an empty map was stated", {}, { a: {} }],
    ["nothing where an empty list was stated", {}, { a: [] }],
    ["nothing where a map of nothing was stated", {}, { a: { b: undefined } }],
    ["items with more in them", [{ a: 1, b: 2 }], [{ a: 1 }]],
    ["named items in another order", [{ name: "b" }, { name: "a" }], [{ name: "a" }, { name: "b" }]],
    [
      "items of the same name that differ in another field",
      [
        { kind: "User", name: "x" },
        { kind: "Group", name: "x" },
      ],
      [
        { kind: "Group", name: "x" },
        { kind: "User", name: "x" },
      ],
    ],
  ])("accepts %s", (_what, actual, wanted) => {
    expect(covers(actual, wanted)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ["another value", { a: 1 }, { a: 2 }],
    ["another type", { a: "1" }, { a: 1 }],
    ["a missing value", {}, { a: 1 }],
    ["a missing map", {}, { a: { b: 1 } }],
    ["a missing list", {}, { a: [1] }],
    ["a value where null was stated", { a: 1 }, { a: null }],
    ["a list where a map was stated", { a: [] }, { a: { b: 1 } }],
    ["a map where a list was stated", { a: {} }, { a: [1] }],
    ["a longer list of plain values", [1, 2, 3], [1, 2]],
    ["a list where an empty one was stated", [1], []],
    ["plain values in another order", [2, 1], [1, 2]],
    ["a named item that differs", [{ name: "main", image: "y" }], [{ name: "main", image: "x" }]],
    ["a removed named item", [{ name: "sidecar" }], [{ name: "main" }]],
    ["an added named item", [{ name: "ada" }, { name: "eve" }], [{ name: "ada" }]],
    [
      "a named item replaced by another",
      [{ name: "ada", kind: "Group" }, { name: "eve" }],
      [{ name: "ada" }, { name: "ada", kind: "Group" }],
    ],
    ["an inherited property for a stated one", {}, { constructor: {} }],
  ])("refuses %s", (_what, actual, wanted) => {
    expect(covers(actual, wanted)).toBe(false);
  });

  it("accepts every value for itself, and with anything added to its maps", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, extra) => {
        expect(covers(value, value)).toBe(true);
        expect(covers(withExtra(value, extra), value)).toBe(true);
      }),
    );
  });
});

/** The value with an additional field in each of its maps. */
function withExtra(value: unknown, extra: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withExtra(item, extra));
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(([key, child]) => [key, withExtra(child, extra)]);
  return { ...(Object.fromEntries(inner) as object), "added by another writer": extra };
}

describe("project", () => {
  it.each<[string, unknown, unknown, unknown]>([
    ["the stated fields", { a: 1, b: 2 }, { a: 0 }, { a: 1 }],
    ["stated fields further down", { a: { b: 1, c: 2 } }, { a: { b: 0 } }, { a: { b: 1 } }],
    ["nothing of a field stated as undefined", { a: 1, b: 2 }, { a: 0, b: undefined }, { a: 1 }],
    ["items of a list of the same length", [{ a: 1, b: 2 }], [{ a: 0 }], [{ a: 1 }]],
    ["all of a list of another length", [{ a: 1, b: 2 }], [], [{ a: 1, b: 2 }]],
    ["what there is in place of a map", { a: "text" }, { a: { b: 1 } }, { a: "text" }],
    ["what there is in place of a list", { a: "text" }, { a: [1] }, { a: "text" }],
  ])("returns %s", (_what, actual, wanted, expected) => {
    expect(project(actual, wanted)).toEqual(expected);
  });

  it("is the whole value, for a value and itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(project(value, value)).toEqual(value);
      }),
    );
  });

  it("ignores what others add to maps", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, extra) => {
        expect(project(withExtra(value, extra), value)).toEqual(value);
      }),
    );
  });
});

describe("withAppliedNote", () => {
  it("adds the digest to the stated annotations", () => {
    const stated = desired({ a: "1" }, { annotations: { mine: "x" } });
    expect(withAppliedNote(stated, controller).metadata.annotations).toEqual({
      mine: "x",
      [appliedAnnotation(controller)]: digestOf(stated),
    });
    expect(stated.metadata.annotations).toEqual({ mine: "x" });
  });

  it("has the same digest whatever the order of fields", () => {
    expect(digestOf(desired({ a: "1", b: "2" }))).toBe(digestOf(desired({ b: "2", a: "1" })));
    expect(digestOf(desired({ a: "1" }))).not.toBe(digestOf(desired({ a: "2" })));
  });
});

describe("isApplied", () => {
  it("holds once the object is as stated", () => {
    const stated = desired({ a: "1" });
    expect(isApplied(applied(stated), stated, controller)).toBe(true);
  });

  it.each<[string, DynamicObject]>([
    [
      "others add fields and labels",
      applied(desired({ a: "1" }), { status: {}, metadata: { labels: { theirs: "x" } } }),
    ],
    ["others add to a map that is stated", applied(desired({ a: "1" }), { data: { a: "1", theirs: "x" } })],
  ])("holds when %s", (_what, live) => {
    expect(isApplied(live, desired({ a: "1" }), controller)).toBe(true);
  });

  it.each<[string, DynamicObject]>([
    ["a value drifted", applied(desired({ a: "1" }), { data: { a: "2" } })],
    ["a value was removed", applied(desired({ a: "1" }), { data: {} })],
    ["a field is no longer stated", applied(desired({ a: "1", b: "2" }))],
    [
      "another controller applied it",
      { ...applied(desired({ a: "1" })), ...withAppliedNote(desired({ a: "1" }), "other") },
    ],
    ["it was never applied", aConfigMap({ data: { a: "1" } })],
  ])("does not hold when %s", (_what, live) => {
    expect(isApplied(live, desired({ a: "1" }), controller)).toBe(false);
  });
});

describe("AppliedMemory", () => {
  const stated = desired({ cpu: "1000m" });
  const rewritten = applied(stated, { data: { cpu: "1" } });

  function remembering(): AppliedMemory {
    const memory = new AppliedMemory();
    memory.remember(stated, rewritten);
    return memory;
  }

  it("matches the server's form of what was applied", () => {
    expect(isApplied(rewritten, stated, controller)).toBe(false);
    expect(remembering().matches(rewritten, stated)).toBe(true);
  });

  it("ignores fields that are not stated", () => {
    const touched = { ...rewritten, status: { seen: true }, data: { cpu: "1", theirs: "x" } };
    expect(remembering().matches(touched, stated)).toBe(true);
  });

  it.each<[string, DynamicObject, DynamicObject]>([
    ["the live value drifts", { ...rewritten, data: { cpu: "2" } }, stated],
    ["something else is stated", rewritten, desired({ cpu: "1500m" })],
    ["less is stated", rewritten, desired({})],
    ["it is another object of that name", { ...rewritten, metadata: { ...rewritten.metadata, uid: "two" } }, stated],
    [
      "another instance has applied something else since",
      applied(desired({ cpu: "1000m", more: "x" }), { data: { cpu: "1", more: "x" } }),
      stated,
    ],
  ])("does not match when %s", (_what, live, wanted) => {
    expect(remembering().matches(live, wanted)).toBe(false);
  });

  it("matches nothing before remember and after forget", () => {
    expect(new AppliedMemory().matches(rewritten, stated)).toBe(false);
    const memory = remembering();
    memory.forget(undefined);
    expect(memory.matches(rewritten, stated)).toBe(true);
    memory.forget("one");
    expect(memory.matches(rewritten, stated)).toBe(false);
  });
});
