import { describe, expect, it } from "vitest";
import { demandedGoVersion, isGoAtLeast } from "./go-toolchain.ts";

describe("isGoAtLeast", () => {
  it.each([
    ["go1.26.8", "1.26.8", true],
    ["go1.26.10", "1.26.8", true],
    ["go1.27", "1.26.8", true],
    ["go1.27rc1", "1.26.8", true],
    ["go1.26", "1.26.8", false],
    ["go1.25.12", "1.26", false],
    ["devel", "1.26", false],
  ])("%s against %s is %s", (found, demanded, expected) => {
    expect(isGoAtLeast(found, demanded)).toBe(expected);
  });

  it("reads the required version from go.mod", () => {
    expect(demandedGoVersion("module x\n\ngo 1.26.8\n\ntoolchain go1.27.0\n")).toBe("1.26.8");
    expect(() => demandedGoVersion("module x\n")).toThrow("no go directive");
  });
});
