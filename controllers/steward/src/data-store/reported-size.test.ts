import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { databaseSizeText, reportedSize } from "./reported-size.ts";

const mebibyte = 1024 * 1024;

describe("the reported size of a database", () => {
  it.each([
    [0, "0"],
    [1, "1Mi"],
    [20_480, "1Mi"],
    [160 * mebibyte, "160Mi"],
    [2 * 1024 * mebibyte, "2Gi"],
  ])("of %d bytes is %s", (bytes, text) => {
    expect(databaseSizeText(bytes)).toBe(text);
    expect(reportedSize(undefined, bytes)).toBe(text);
  });

  it.each([
    ["100Mi", 110 * mebibyte, "100Mi"],
    ["100Mi", 116 * mebibyte, "116Mi"],
    ["1Gi", 1_100 * mebibyte, "1Gi"],
    ["1Gi", 1_200 * mebibyte, "1200Mi"],
    ["100Mi", 10 * mebibyte, "10Mi"],
    ["rubbish", 10 * mebibyte, "10Mi"],
  ])("after %s, at %d bytes, is %s", (before, bytes, expected) => {
    expect(reportedSize(before, bytes)).toBe(expected);
  });

  it("never alternates between two close sizes", () => {
    const sizes = fc.integer({ min: 0, max: 20 * 1024 * mebibyte });
    fc.assert(
      fc.property(sizes, fc.integer({ min: -8 * mebibyte, max: 8 * mebibyte }), (bytes, drift) => {
        const first = reportedSize(undefined, bytes);
        expect(reportedSize(first, Math.max(0, bytes + drift))).toBe(first);
      }),
    );
  });
});
