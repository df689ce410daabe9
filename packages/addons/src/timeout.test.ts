import { describe, expect, it } from "vitest";
import { effectiveTimeout, timeoutFault } from "./timeout.ts";

describe("the timeout of an add-on", () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["90s", undefined],
    ["1h", undefined],
    ["60m", undefined],
    ["61m", "is 61m; the longest timeout is 1h"],
    ["24h", "is 24h; the longest timeout is 1h"],
  ])("hole 5: %s", (timeout, fault) => expect(timeoutFault(timeout)).toBe(fault));

  it.each<[string | undefined, number, string | undefined]>([
    [undefined, 600_000, undefined],
    ["90s", 90_000, undefined],
    ["24h", 3_600_000, "the timeout of 24h is limited to 1h"],
  ])("hole 5: of %s takes effect as %i ms", (timeout, timeoutMs, timeoutNote) => {
    expect(effectiveTimeout(timeout)).toEqual(timeoutNote === undefined ? { timeoutMs } : { timeoutMs, timeoutNote });
  });
});
