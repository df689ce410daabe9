import { afterEach, describe, expect, it, vi } from "vitest";
import { isSoak, shortOrLong } from "./soak.ts";

afterEach(() => vi.unstubAllEnvs());

describe("the duration of a test", () => {
  it.each([undefined, "", "0", "yes"])("is short when BUTLER_SOAK is %j", (value) => {
    vi.stubEnv("BUTLER_SOAK", value);
    expect([isSoak(), shortOrLong(3, 300)]).toEqual([false, 3]);
  });

  it("is long when npm run soak sets it", () => {
    vi.stubEnv("BUTLER_SOAK", "1");
    expect([isSoak(), shortOrLong(3, 300)]).toEqual([true, 300]);
  });
});
