import { describe, expect, it } from "vitest";
import { type Fact, factLines, section } from "./facts.ts";

describe("factLines", () => {
  const facts: readonly Fact[] = [
    ["Name", "blue"],
    ["Description", ""],
    ["Team", undefined],
    ["Version", "1.35"],
  ];

  it.each([
    [undefined, ["Name:     blue", "Version:  1.35"]],
    [12, ["Name:       blue", "Version:    1.35"]],
  ])("aligns values and omits empty ones: %s columns", (width, lines) => {
    expect(factLines(facts, width)).toEqual(lines);
  });
});

describe("section", () => {
  it("is indented after a blank line, or omitted when empty", () => {
    expect(section("Pools", ["a", "b"])).toEqual(["", "Pools:", "  a", "  b"]);
    expect(section("Pools", [])).toEqual([]);
  });
});
