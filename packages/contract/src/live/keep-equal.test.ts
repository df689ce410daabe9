import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepEqual } from "./keep-equal.ts";

describe("keepEqual", () => {
  it("keeps unchanged parts", () => {
    const before = { metadata: { name: "shop" }, status: { phase: "Ready", conditions: [{ type: "Ready" }] } };
    const after = { metadata: { name: "shop" }, status: { phase: "Failed", conditions: [{ type: "Ready" }] } };
    const kept = keepEqual(before, after) as typeof before;
    expect(kept).toEqual(after);
    expect(kept).not.toBe(before);
    expect(kept.metadata).toBe(before.metadata);
    expect(kept.status.conditions).toBe(before.status.conditions);
  });

  it.each([
    ["a removed part", { a: 1, b: 2 }, { a: 1 }],
    ["an added part", { a: 1 }, { a: 1, b: undefined }],
    ["a renamed part", { a: 1 }, { b: undefined }],
    ["a shorter list", [1, 2], [1]],
    ["a list in place of an object", { 0: 1 }, [1]],
    ["null", { a: 1 }, null],
  ])("detects %s", (_what, before, after) => expect(keepEqual(before, after)).toStrictEqual(after));

  it("returns the new value, and the same reference if nothing changed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(keepEqual(before, structuredClone(after))).toEqual(after);
        expect(keepEqual(before, structuredClone(before))).toBe(before);
      }),
    );
  });
});
