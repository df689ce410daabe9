import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextActiveRow } from "./active-row.ts";
import { nextSorting, parseSorting, sortingText } from "./column.ts";
import { type RowWindow, rowWindow, scrollTopFor } from "./row-window.ts";
import { compareValues, sortRows } from "./sort-rows.ts";

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
  ])("%s at row %i moves to %s", (key, active, wanted) => {
    expect(nextActiveRow(key, active, { count: 10, page: 5 })).toBe(wanted);
  });

  it("stays within the table", () => {
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
  it("round-trips through text", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]+$/), fc.boolean(), (column, isDescending) => {
        expect(parseSorting(sortingText({ column, isDescending }))).toEqual({ column, isDescending });
      }),
    );
  });

  it("reverses on the second click, and resets for another column", () => {
    const once = nextSorting(undefined, "name");
    expect(once).toEqual({ column: "name", isDescending: false });
    expect(nextSorting(once, "name")).toEqual({ column: "name", isDescending: true });
    expect(nextSorting(once, "age")).toEqual({ column: "age", isDescending: false });
  });

  it("puts node-2 before node-10 and 9 before 10", () => {
    expect(["node-10", "node-2"].sort(compareValues)).toEqual(["node-2", "node-10"]);
    expect([10, 9].sort(compareValues)).toEqual([9, 10]);
  });

  it("agrees with the collator for every name", () => {
    const rules = new Intl.Collator("en", { numeric: true });
    const name = fc.oneof(
      fc.stringMatching(/^[a-z0-9.-]{0,12}$/),
      fc.string(),
      fc.constantFrom("a01", "a1", "a-1", "a"),
    );
    fc.assert(
      fc.property(name, name, (left, right) => {
        expect(Math.sign(compareValues(left, right))).toBe(Math.sign(rules.compare(left, right)));
      }),
      { numRuns: 1_000 },
    );
  });

  it("sorts by the given column, is stable, and otherwise keeps the order", () => {
    const columns = [
      { id: "size", header: "Size", cell: () => "", sortBy: ({ size }: { size: number }) => size },
      { id: "note", header: "Note", cell: () => "" },
    ];
    const rows = [3, 1, 2, 1].map((size, at) => ({ size, at }));
    const order = (text: string | undefined) =>
      sortRows(rows, columns, text === undefined ? undefined : parseSorting(text)).map(({ at }) => at);
    expect(order("size")).toEqual([1, 3, 2, 0]);
    expect(order("-size")).toEqual([0, 2, 1, 3]);
    for (const other of [undefined, "note", "gone"]) expect(order(other)).toEqual([0, 1, 2, 3]);
  });
});

describe("the row window", () => {
  it.each<[string, number, number, RowWindow]>([
    ["at the start", 0, 1_000, { first: 0, end: 12 }],
    ["in the middle", 1_000, 1_000, { first: 96, end: 112 }],
    ["at the end", 9_900, 1_000, { first: 986, end: 1_000 }],
    ["when there are none", 0, 0, { first: 0, end: 0 }],
    ["when the list has become shorter", 9_900, 10, { first: 10, end: 10 }],
  ])("%s", (_where, top, count, wanted) => {
    expect(rowWindow({ top, height: 80 }, 10, count)).toEqual(wanted);
  });

  it("contains every visible row", () => {
    const sizes = [fc.nat(100_000), fc.nat(2_000), fc.integer({ min: 20, max: 60 })] as const;
    fc.assert(
      fc.property(...sizes, (top, height, rowHeight) => {
        const { first, end } = rowWindow({ top, height }, rowHeight, Number.POSITIVE_INFINITY);
        expect(first * rowHeight).toBeLessThanOrEqual(top);
        expect(end * rowHeight).toBeGreaterThanOrEqual(top + height);
      }),
    );
  });

  it.each([
    ["a row above", 3, 30],
    ["a row in sight", 7, 50],
    ["a row below", 20, 110],
  ])("scrolls to %s", (_which, index, wanted) => {
    expect(scrollTopFor(index, { top: 50, height: 100 }, 10)).toBe(wanted);
  });
});
