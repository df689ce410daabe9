import { describe, expect, it } from "vitest";
import { readableAmount } from "./amounts.ts";

describe("readableAmount", () => {
  it.each([
    ["5400Gi", "5.3 TiB"],
    ["1Ti", "1 TiB"],
    ["864Gi", "864 GiB"],
    ["1024Ki", "1 MiB"],
    ["2000Ei", "2000 EiB"],
    ["0Gi", "0 GiB"],
    ["216", "216"],
    [22, "22"],
    ["500m", "500m"],
    ["a lot", "a lot"],
  ])("%s is %s", (amount, words) => expect(readableAmount(amount)).toBe(words));
});
