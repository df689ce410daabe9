import { Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { explainError, summarizeError } from "./explain-error.ts";

describe("explainError", () => {
  it.each([
    [new Error("first\nsecond"), "first\nsecond", "first"],
    [new Error("outer", { cause: new Error("inner\nmore") }), "outer: inner more", "outer: inner more"],
    [new Unavailable("gone", { hint: "Wait." }), "gone\nWait.", "gone"],
    ["just text", "just text", "just text"],
  ])("includes all of %o", (error, all, summary) => {
    expect(explainError(error)).toBe(all);
    expect(summarizeError(error)).toBe(summary);
  });
});
