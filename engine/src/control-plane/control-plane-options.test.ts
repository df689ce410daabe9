import { describe, expect, it } from "vitest";
import { checkSocketPath, parseControlPlaneName } from "./control-plane-options.ts";

describe("parseControlPlaneName", () => {
  it.each(["a", "tenant-1", "x".repeat(30)])("accepts %s", (name) => {
    expect(parseControlPlaneName(name)).toBe(name);
  });

  it.each(["", "-a", "a-", "A", "a/b", "x".repeat(31)])("refuses %o", (name) => {
    expect(() => parseControlPlaneName(name)).toThrow("not a valid control plane name");
  });
});

describe("checkSocketPath", () => {
  it("rejects a path that the kernel would truncate", () => {
    checkSocketPath(`/${"x".repeat(102)}`);
    expect(() => checkSocketPath(`/${"x".repeat(103)}`)).toThrow("exceeds the limit of 103 bytes");
  });
});
