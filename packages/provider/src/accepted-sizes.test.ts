import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesLess, wholeBytes } from "./accepted-sizes.ts";

describe("accepted sizes", () => {
  it.each([
    ["16Gi", "16Gi"],
    [17_179_869_184, "16Gi"],
    ["16384Mi", "16Gi"],
    ["4.5Gi", "4608Mi"],
    ["16G", "15625000Ki"],
    ["1025", "1025"],
    ["1024.5", "1025"],
    ["1500m", "2"],
  ])("wholeBytes(%j) is %s", (amount, text) => {
    expect(wholeBytes(amount)).toBe(text);
  });

  it("has one canonical text for each number of bytes", () => {
    const bytes = fc.integer({ min: 1 });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        expect(wholeBytes(one) === wholeBytes(String(other))).toBe(one === other);
        expect(wholeBytes(wholeBytes(one))).toBe(wholeBytes(one));
      }),
    );
  });

  it("bytesLess subtracts", () => {
    expect(bytesLess("100Gi", "20Gi")).toBe("80Gi");
    expect(bytesLess(42_949_672_960, "20Gi")).toBe("20Gi");
  });
});
