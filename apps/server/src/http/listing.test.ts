import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Listed, pageOf } from "./listing.ts";
import { type Entry, shape } from "./testing/entries.ts";

const entries = fc.uniqueArray(fc.record({ name: fc.string({ minLength: 1 }), size: fc.integer({ min: 0, max: 3 }) }), {
  selector: ({ name }) => name,
});
const sorts = fc.constantFrom("name", "-name", "size", "-size");

function readAll(items: readonly Entry[], sort: string, limit: number): Listed<Entry>[] {
  const pages: Listed<Entry>[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(items, { limit, sort, cursor }, shape);
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe("pageOf", () => {
  it("returns every entry once, in order, with any page size", () => {
    fc.assert(
      fc.property(entries, sorts, fc.integer({ min: 1, max: 7 }), (items, sort, limit) => {
        const pages = readAll(items, sort, limit);
        const shown = pages.flatMap((page) => page.items);
        expect(shown.map(({ name }) => name).toSorted()).toEqual(items.map(({ name }) => name).toSorted());
        expect(shown).toEqual(readAll(items, sort, 500).flatMap((page) => page.items));
        for (const page of pages) expect([page.total, page.items.length <= limit]).toEqual([items.length, true]);
        const key = sort.replace("-", "") as keyof Entry;
        const values = shown.map((entry) => entry[key]);
        const ordered = values.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
        expect(values).toEqual(sort.startsWith("-") ? ordered.toReversed() : ordered);
      }),
    );
  });

  it("skips no remaining entry when others are added or removed between pages", () => {
    fc.assert(
      fc.property(entries, sorts, fc.func(fc.boolean()), (items, sort, goes) => {
        const first = pageOf(items, { limit: 2, sort }, shape);
        const left = items.filter(({ name }) => first.items.some((entry) => entry.name === name) || !goes(name));
        const rest =
          first.nextCursor === undefined
            ? []
            : pageOf(left, { limit: 500, sort, cursor: first.nextCursor }, shape).items;
        const seen = [...first.items, ...rest].map(({ name }) => name);
        expect(seen.toSorted()).toEqual(left.map(({ name }) => name).toSorted());
      }),
    );
  });

  it("finds entries that contain every search term", () => {
    const items = [
      { name: "Blue-Shop", size: 1 },
      { name: "blue-bank", size: 2 },
    ];
    const found = (search: string) =>
      pageOf(items, { limit: 9, sort: "name", search }, shape).items.map(({ name }) => name);
    expect(found(" BLUE ")).toEqual(["Blue-Shop", "blue-bank"]);
    expect(found("blue 2")).toEqual(["blue-bank"]);
    expect(found("green")).toEqual([]);
  });

  it.each([
    "",
    "x",
    "bnVsbA",
    Buffer.from('["-name","a","a"]').toString("base64url"),
    Buffer.from('["name",{},"a"]').toString("base64url"),
  ])("rejects the cursor %j", (cursor) => {
    expect(() => pageOf([], { limit: 1, sort: "name", cursor }, shape)).toThrow("not valid for this list");
  });
});
