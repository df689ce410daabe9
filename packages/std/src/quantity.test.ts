import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidInput } from "./errors.ts";
import { formatBinaryQuantity, formatDecimalQuantity, parseQuantity, quantityPattern } from "./quantity.ts";

const one = 1_000_000_000n;
const amount = (): fc.Arbitrary<bigint> => fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });

describe("parseQuantity", () => {
  it.each<[string | number, bigint]>([
    ["0", 0n],
    ["4", 4n * one],
    ["+4", 4n * one],
    ["-4", -4n * one],
    ["500m", one / 2n],
    ["0.5", one / 2n],
    [".5", one / 2n],
    ["5.", 5n * one],
    ["7u", 7_000n],
    ["7n", 7n],
    ["1k", 1_000n * one],
    ["1.5G", 1_500_000_000n * one],
    ["1E", 10n ** 18n * one],
    ["1Ki", 1_024n * one],
    ["0.5Ki", 512n * one],
    ["16Gi", 16n * 2n ** 30n * one],
    ["1Ei", 2n ** 60n * one],
    ["1e3", 1_000n * one],
    ["1E3", 1_000n * one],
    ["1e+3", 1_000n * one],
    ["25e-1", (5n * one) / 2n],
    [" 4 ", 4n * one],
    [2.5, (5n * one) / 2n],
    [1e21, 10n ** 21n * one],
    [1e-7, 100n],
  ])("parses %j", (text, expected) => {
    expect(parseQuantity(text)).toBe(expected);
  });

  it.each<[string, bigint]>([
    ["0.1n", 1n],
    ["-0.1n", -1n],
    ["1e-60", 1n],
    ["1.0000000001", one + 1n],
    ["1.0000000000", one],
  ])("rounds %s away from zero to a whole nano-unit", (text, expected) => {
    expect(parseQuantity(text)).toBe(expected);
  });

  it.each(["", " ", ".", "+", "-", "abc", "4 Gi", "4GB", "4gi", "1e", "1e1.5", "--4", "4\n4", "1e61", "1e-61"])(
    "rejects %j",
    (text) => {
      expect(() => parseQuantity(text)).toThrow(InvalidInput);
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("rejects the number %d", (value) => {
    expect(() => parseQuantity(value)).toThrow(InvalidInput);
  });

  it("adds tenths exactly", () => {
    expect(parseQuantity("0.1") + parseQuantity("0.2")).toBe(parseQuantity("0.3"));
  });

  it("sums parts without losing a byte or a millicore", () => {
    const parts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(parts, fc.constantFrom("m", "", "k", "Ki", "Gi", "Pi"), (numbers, suffix) => {
        const sum = numbers.reduce((total, number) => total + parseQuantity(`${number}${suffix}`), 0n);
        expect(sum).toBe(parseQuantity(`${numbers.reduce((total, number) => total + number, 0)}${suffix}`));
      }),
    );
  });

  it("preserves the order of the numbers", () => {
    const number = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    fc.assert(
      fc.property(number, number, fc.constantFrom("n", "m", "", "M", "Mi"), (left, right, suffix) => {
        expect(parseQuantity(`${left}${suffix}`) < parseQuantity(`${right}${suffix}`)).toBe(left < right);
      }),
    );
  });
});

describe("formatDecimalQuantity", () => {
  it.each<[bigint, string]>([
    [0n, "0"],
    [4n * one, "4"],
    [one / 2n, "500m"],
    [-one / 2n, "-500m"],
    [1_500_000_000n, "1500m"],
    [7_000n, "7u"],
    [7n, "7n"],
  ])("formats %d nano-units as %s", (nanoUnits, expected) => {
    expect(formatDecimalQuantity(nanoUnits)).toBe(expected);
  });
});

describe("formatBinaryQuantity", () => {
  it.each<[string, string]>([
    ["0", "0"],
    ["1000", "1000"],
    ["1024", "1Ki"],
    ["1536Mi", "1536Mi"],
    ["2048Mi", "2Gi"],
    ["1024Pi", "1Ei"],
    ["-2048", "-2Ki"],
    ["0.5", "500m"],
  ])("formats %s as %s", (text, expected) => {
    expect(formatBinaryQuantity(parseQuantity(text))).toBe(expected);
  });
});

describe.each([
  ["formatDecimalQuantity", formatDecimalQuantity],
  ["formatBinaryQuantity", formatBinaryQuantity],
])("the output of %s", (_name, format) => {
  it("round-trips the same amount", () => {
    fc.assert(
      fc.property(amount(), (nanoUnits) => {
        expect(parseQuantity(format(nanoUnits))).toBe(nanoUnits);
      }),
    );
  });

  it("matches the pattern that Kubernetes publishes", () => {
    fc.assert(
      fc.property(amount(), (nanoUnits) => {
        expect(format(nanoUnits)).toMatch(new RegExp(quantityPattern));
      }),
    );
  });
});
