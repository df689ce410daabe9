import { describe, expect, it } from "vitest";
import { hasBuiltControllers } from "./health-probe.ts";

describe("hasBuiltControllers", () => {
  it.each([
    ["", false],
    ["healthz check passed\n", false],
    ["[+]ping ok\n[+]leaderElection ok\nhealthz check passed\n", false],
    ["[+]ping ok\n[+]serviceaccount-controller ok\nhealthz check passed\n", true],
  ])("of %o is %s", (text, expected) => {
    expect(hasBuiltControllers(text)).toBe(expected);
  });
});
