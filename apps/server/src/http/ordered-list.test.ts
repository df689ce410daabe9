import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ListQuery, pageOf, pageOfOrdered, sortKeyOf } from "./listing.ts";
import { OrderedList } from "./ordered-list.ts";
import { type Entry, shape } from "./testing/entries.ts";

const names = fc.constantFrom("a", "b", "c", "d", "e", "f");
const entry = fc.record({ name: names, size: fc.integer({ min: 0, max: 3 }) });
const steps = fc.array(
  fc.oneof(
    entry.map((put) => ({ put })),
    // The object in a delete event may differ from the known one.
    entry.map((remove) => ({ remove })),
    fc.constantFrom("name", "size").map((look) => ({ look })),
  ),
);
const query = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  sort: fc.constantFrom("name", "-name", "size", "-size"),
  search: fc.constantFrom(undefined, "a", "1"),
});

function readAll(read: (asked: ListQuery) => ReturnType<typeof pageOf<Entry>>, asked: ListQuery) {
  const pages = [read(asked)];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(read({ ...asked, cursor }));
  }
  return pages;
}

describe("OrderedList", () => {
  it("returns the same pages as a full sort, whatever was added or removed", () => {
    fc.assert(
      fc.property(steps, query, fc.boolean(), (taken, asked, isFiltered) => {
        const list = new OrderedList(shape);
        const known = new Map<string, Entry>();
        for (const step of taken) {
          if ("look" in step) list.by(step.look);
          else if ("put" in step) {
            list.put(step.put);
            known.set(step.put.name, step.put);
          } else {
            list.remove(step.remove);
            known.delete(step.remove.name);
          }
        }
        const isWanted = isFiltered ? ({ size }: Entry): boolean => size !== 2 : undefined;
        const wanted = [...known.values()].filter((each) => isWanted?.(each) ?? true);
        const ordered = (each: ListQuery) => pageOfOrdered(list.by(sortKeyOf(each)), each, { shape, isWanted });
        expect(readAll(ordered, asked)).toEqual(readAll((each) => pageOf(wanted, each, shape), asked));
      }),
    );
  });

  it("continues after an entry that was removed", () => {
    const list = new OrderedList(shape);
    for (const name of ["a", "b", "c"]) list.put({ name, size: 1 });
    for (const [sort, rest] of [
      ["name", "c"],
      ["-name", "a"],
    ] as const) {
      const first = pageOfOrdered(list.by("name"), { limit: 2, sort }, { shape });
      list.remove({ name: "b", size: 9 });
      const next = pageOfOrdered(list.by("name"), { limit: 2, sort, cursor: first.nextCursor }, { shape });
      expect(next.items.map(({ name }) => name).join()).toBe(rest);
      list.put({ name: "b", size: 1 });
    }
  });
});
