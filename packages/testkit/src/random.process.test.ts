import { afterEach, describe, expect, it, vi } from "vitest";
import { chooseSeed, seededRandom } from "./random.ts";

const take = (count: number, random: () => number): number[] => Array.from({ length: count }, random);

describe("seededRandom", () => {
  it("returns the same numbers for the same seed", () => {
    expect(take(100, seededRandom(42))).toEqual(take(100, seededRandom(42)));
  });

  it("returns other numbers for another seed", () => {
    expect(take(10, seededRandom(42))).not.toEqual(take(10, seededRandom(43)));
  });

  it.each([0, 1, 42, 2 ** 31, 2 ** 32 - 1])("distributes the numbers of seed %d evenly from 0 to 1", (seed) => {
    const numbers = take(10_000, seededRandom(seed));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const tenths = Array.from(
      { length: 10 },
      (_, tenth) => numbers.filter((one) => Math.floor(one * 10) === tenth).length,
    );
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});

describe("chooseSeed", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("uses the given seed", () => {
    vi.stubEnv("BUTLER_TEST_SEED", "1234");
    expect(chooseSeed()).toBe(1234);
  });

  it.each(["", "0", "-5", "1.5", "abc"])("chooses a seed when given %j", (text) => {
    vi.stubEnv("BUTLER_TEST_SEED", text);
    const seed = chooseSeed();
    expect(Number.isInteger(seed)).toBe(true);
    expect(seed).toBeGreaterThan(0);
  });

  it("chooses a seed that it also accepts", () => {
    vi.stubEnv("BUTLER_TEST_SEED", "");
    const seed = chooseSeed();
    vi.stubEnv("BUTLER_TEST_SEED", String(seed));
    expect(chooseSeed()).toBe(seed);
  });

  it("chooses a fixed seed for the short form of a test, and a new one for the long form", () => {
    vi.stubEnv("BUTLER_TEST_SEED", "");
    vi.stubEnv("BUTLER_SOAK", "");
    expect(chooseSeed()).toBe(chooseSeed());
    vi.stubEnv("BUTLER_SOAK", "1");
    expect(new Set(Array.from({ length: 20 }, chooseSeed)).size).toBeGreaterThan(1);
  });
});
