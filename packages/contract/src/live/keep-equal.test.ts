import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepEqual } from "./keep-equal.ts";

describe("keepEqual", () => {
  it("keeps the parts that are as they were", () => {
    const before = { metadata: { name: "shop" }, status: { phase: "Ready", conditions: [{ type: "Ready" }] } };
    const after = { metadata: { name: "shop" }, status: { phase: "Failed", conditions: [{ type: "Ready" }] } };
    const kept = keepEqual(before, after) as typeof before;
    expect(kept).toEqual(after);
    expect(kept).not.toBe(before);
    expect(kept.metadata).toBe(before.metadata);
    expect(kept.status.conditions).toBe(before.status.conditions);
  });

  it.each([
    ["a part that is gone", { a: 1, b: 2 }, { a: 1 }],
    ["a part that is new", { a: 1 }, { a: 1, b: undefined }],
    ["another part", { a: 1 }, { b: undefined }],
    ["a shorter list", [1, 2], [1]],
    ["a list in place of an object", { 0: 1 }, [1]],
    ["nothing", { a: 1 }, null],
  ])("sees %s", (_what, before, after) => expect(keepEqual(before, after)).toStrictEqual(after));

  it("gives what has come, and the very same where nothing has changed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(keepEqual(before, structuredClone(after))).toEqual(after);
        expect(keepEqual(before, structuredClone(before))).toBe(before);
      }),
    );
  });
});
