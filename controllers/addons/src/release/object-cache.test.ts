import { describe, expect, it } from "vitest";
import { ObjectCache } from "./object-cache.ts";

const sizes = { total: 10, perGroup: 6 };

function cacheOf(...entries: readonly (readonly [key: string, group: string, size: number])[]): ObjectCache {
  const cache = new ObjectCache(sizes);
  for (const [key, group, size] of entries) cache.put({ key, group, size, mark: "1", items: [] });
  return cache;
}

const keys = ["a", "b", "c", "d"];
const cached = (cache: ObjectCache): string => keys.filter((key) => cache.get(key, "1") !== undefined).join("");

describe("ObjectCache", () => {
  it.each<[string, ObjectCache, string]>([
    ["what fits", cacheOf(["a", "x", 3], ["b", "x", 3], ["c", "y", 4]), "abc"],
    ["the latest of a cluster", cacheOf(["a", "x", 3], ["b", "x", 3], ["c", "x", 3]), "bc"],
    ["the latest of all clusters", cacheOf(["a", "x", 4], ["b", "y", 4], ["c", "z", 4]), "bc"],
    ["the others when one is too large", cacheOf(["a", "y", 3], ["b", "x", 7]), "a"],
    ["a revision in place of the former one", cacheOf(["a", "x", 6], ["b", "y", 4], ["a", "x", 6]), "ab"],
  ])("keeps %s", (_what, cache, left) => expect(cached(cache)).toBe(left));

  it("counts a use, and tells revisions apart", () => {
    const cache = cacheOf(["a", "x", 3], ["b", "x", 3]);
    expect(cache.get("a", "2")).toBeUndefined();
    expect(cache.get("a", "1")).toEqual([]);
    cache.put({ key: "c", group: "x", size: 3, mark: "1", items: [] });
    expect(cached(cache)).toBe("ac");
    cache.forget("a");
    expect(cached(cache)).toBe("c");
  });
});
