import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextActiveRow } from "./active-row.ts";
import { nextSorting, parseSorting, sortingText } from "./column.ts";
import { compareValues } from "./use-sorted-table.ts";

describe("nextActiveRow", () => {
  it.each([
    ["j", -1, 0],
    ["ArrowDown", 3, 4],
    ["ArrowDown", 9, 9],
    ["k", 0, 0],
    ["PageDown", 2, 7],
    ["PageUp", 2, 0],
    ["Home", 7, 0],
    ["End", 0, 9],
    ["x", 3, undefined],
    ["Enter", 3, undefined],
  ])("%s at %i leads to %s", (key, active, wanted) => {
    expect(nextActiveRow(key, active, { count: 10, page: 5 })).toBe(wanted);
  });

  it("never leaves the table", () => {
    const keys = fc.constantFrom("j", "k", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End");
    fc.assert(
      fc.property(keys, fc.integer({ min: -1, max: 50 }), fc.integer({ min: 1, max: 50 }), (key, active, count) => {
        const next = nextActiveRow(key, active, { count, page: 5 }) ?? -1;
        expect(next).toBeGreaterThanOrEqual(0);
        expect(next).toBeLessThan(count);
      }),
    );
    expect(nextActiveRow("j", -1, { count: 0, page: 5 })).toBeUndefined();
  });
});

describe("sorting", () => {
  it("reads what it writes", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]+$/), fc.boolean(), (column, isDescending) => {
        expect(parseSorting(sortingText({ column, isDescending }))).toEqual({ column, isDescending });
      }),
    );
  });

  it("turns round at the second click, and begins anew in another column", () => {
    const once = nextSorting(undefined, "name");
    expect(once).toEqual({ column: "name", isDescending: false });
    expect(nextSorting(once, "name")).toEqual({ column: "name", isDescending: true });
    expect(nextSorting(once, "age")).toEqual({ column: "age", isDescending: false });
  });

  it("puts node-2 before node-10 and 9 before 10", () => {
    expect(["node-10", "node-2"].sort(compareValues)).toEqual(["node-2", "node-10"]);
    expect([10, 9].sort(compareValues)).toEqual([9, 10]);
  });
});
