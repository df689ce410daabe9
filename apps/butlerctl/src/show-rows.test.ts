import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf } from "./show-rows.ts";

const rows = fc.uniqueArray(fc.record({ id: fc.constantFrom("a", "b", "c", "d"), value: fc.nat(2) }), {
  selector: ({ id }) => id,
});

describe("differenceOf", () => {
  it("returns exactly the changes between two lists", () => {
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        const { changed, gone } = differenceOf(before, after, ({ id }) => id);
        const shown = new Map(before.map((row) => [row.id, row.value]));
        for (const { id } of gone) shown.delete(id);
        for (const { id, value } of changed) shown.set(id, value);
        expect(shown).toEqual(new Map(after.map((row) => [row.id, row.value])));
        for (const { id, value } of changed) expect(before).not.toContainEqual({ id, value });
      }),
    );
  });
});
