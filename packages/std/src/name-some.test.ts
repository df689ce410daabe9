import { describe, expect, it } from "vitest";
import { nameSome } from "./name-some.ts";

describe("nameSome", () => {
  it.each([
    [0, ""],
    [2, "c0, c1"],
    [10, "c0, c1, c2, c3, c4, c5, c6, c7, c8, c9"],
    [12, "c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 2 more"],
  ])("of %i names", (count, expected) => {
    expect(nameSome(Array.from({ length: count }, (_none, at) => `c${at}`))).toBe(expected);
  });

  it("names as many as are wanted", () => {
    expect(nameSome(["a", "b", "c"], 1)).toBe("a and 2 more");
  });
});
