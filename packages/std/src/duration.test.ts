import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationPattern, formatDuration, parseDurationMs } from "./duration.ts";
import { InvalidInput } from "./errors.ts";

const tenYearsMs = 10 * 366 * 24 * 3_600_000;

describe("parseDurationMs", () => {
  it.each<[string, number]>([
    ["0", 0],
    ["0s", 0],
    ["1ms", 1],
    ["30s", 30_000],
    ["10m", 600_000],
    ["4h", 14_400_000],
    ["1h30m", 5_400_000],
    ["1h30m0s", 5_400_000],
    ["1.5h", 5_400_000],
    ["30s30s", 60_000],
    ["1500us", 1.5],
    ["1500µs", 1.5],
    ["1500μs", 1.5],
    ["1ns", 0.000_001],
    ["720h", 2_592_000_000],
    ["1.001s", 1_001],
    ["0.1s0.2s", 300],
  ])("parses %s", (text, expected) => {
    expect(parseDurationMs(text)).toBe(expected);
  });

  it.each(["", "5", "1d", "1w", "-1h", "+1h", "1 h", "h", "1h ", ".5s", "1.s", "1e3s", "00", "1H"])(
    "rejects %j",
    (text) => {
      expect(() => parseDurationMs(text)).toThrow(InvalidInput);
    },
  );

  it("truncates to nanoseconds, as Go does", () => {
    expect(parseDurationMs("1.9999ns")).toBe(0.000_001);
  });

  it("adds its parts exactly", () => {
    const part = fc.tuple(fc.nat({ max: 5_000 }), fc.constantFrom("ms", "s", "m", "h"));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const texts = parts.map(([number, unit]) => `${number}${unit}`);
        const sum = texts.reduce((total, text) => total + parseDurationMs(text), 0);
        expect(parseDurationMs(texts.join(""))).toBe(sum);
      }),
    );
  });
});

describe("formatDuration", () => {
  it.each<[number, string]>([
    [0, "0s"],
    [0.5, "500µs"],
    [0.000_001, "1ns"],
    [1, "1ms"],
    [1.5, "1.5ms"],
    [250, "250ms"],
    [1_000, "1s"],
    [1_001, "1.001s"],
    [45_000, "45s"],
    [60_000, "1m0s"],
    [5_400_000, "1h30m0s"],
    [90_061_500, "25h1m1.5s"],
    [-45_000, "-45s"],
  ])("formats %d ms as %s", (totalMs, expected) => {
    expect(formatDuration(totalMs)).toBe(expected);
  });

  it("round-trips the number of milliseconds", () => {
    fc.assert(
      fc.property(fc.nat({ max: tenYearsMs }), (totalMs) => {
        expect(parseDurationMs(formatDuration(totalMs))).toBe(totalMs);
      }),
      { numRuns: 1_000 },
    );
  });

  it("matches the pattern of duration fields for any fraction of a millisecond", () => {
    const totalMs = fc.double({ min: 0, max: tenYearsMs, noNaN: true });
    fc.assert(
      fc.property(totalMs, (value) => {
        expect(formatDuration(value)).toMatch(new RegExp(durationPattern));
      }),
    );
  });
});
