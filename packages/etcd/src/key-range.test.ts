import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeyRange } from "./etcd-methods.ts";
import { keyAfter, prefixRange } from "./key-range.ts";

/** Whether etcd would take the key to lie in the range. */
function holds(range: KeyRange, key: Uint8Array): boolean {
  const isToTheEnd = range.rangeEnd.length === 1 && range.rangeEnd[0] === 0;
  return Buffer.compare(key, range.key) >= 0 && (isToTheEnd || Buffer.compare(key, range.rangeEnd) < 0);
}

const bytes = fc.uint8Array({ maxLength: 12 });

describe("the range of a prefix", () => {
  it.each([
    ["/butler/a/", "/butler/a0"],
    ["a", "b"],
    ["az", "a{"],
  ])("of %s ends before %s", (prefix, end) => {
    expect(Buffer.from(prefixRange(prefix).rangeEnd).toString()).toBe(end);
  });

  it("holds the keys that begin with it and no others", () => {
    const property = fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 6 }), bytes, (prefix, tail) => {
      const range = prefixRange(prefix);
      const start = Buffer.from(prefix);
      expect(holds(range, Buffer.concat([start, tail]))).toBe(true);
      const begins = Buffer.compare(Buffer.from(tail.subarray(0, start.length)), start) === 0;
      expect(holds(range, tail)).toBe(begins);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("of nothing holds every key", () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 1 }), (key) => holds(prefixRange(""), key)));
  });
});

describe("the key after another", () => {
  it("has nothing between it and the other", () => {
    const property = fc.property(bytes, bytes, (key, other) => {
      const isBetween = Buffer.compare(other, key) > 0 && Buffer.compare(other, keyAfter(key)) < 0;
      expect(isBetween).toBe(false);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
