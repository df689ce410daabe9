import { describe, expect, it } from "vitest";
import { tokenIn } from "./setup-token.ts";

describe("tokenIn", () => {
  it.each([
    ["#token=abc-123", "abc-123"],
    ["token=a%2Bb", "a+b"],
    ["", ""],
    ["#section", ""],
    ["#other=1&token=x", "x"],
  ])("%s has %s", (hash, token) => expect(tokenIn(hash)).toBe(token));
});
