import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ColumnQuestion, placeColumns } from "./columns.ts";
import { cutLine, lineOf, lineWidth, spread, textOf } from "./line.ts";
import { cut, fit, widthOf, wrap } from "./text.ts";

const someText = fc.string({ unit: "grapheme", maxLength: 40 });

describe("text", () => {
  it.each([
    ["plain", 10, "plain     "],
    ["too long", 5, "too …"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日… "],
    ["", 2, "  "],
  ])("fit(%j, %i) is %j", (text, width, expected) => {
    expect(fit(text, width)).toBe(expected);
  });

  it("fits every text to exactly the width, and truncates only longer ones", () => {
    fc.assert(
      fc.property(someText, fc.integer({ min: 0, max: 50 }), (text, width) => {
        expect(widthOf(fit(text, width))).toBe(width);
        if (widthOf(text) <= width) expect(cut(text, width)).toBe(width === 0 ? "" : text);
      }),
    );
  });

  it("wraps between words, and inside words that are too long", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(wrap("", 4)).toEqual([]);
  });

  it("loses no text when it wraps", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/)), fc.integer({ min: 2, max: 30 }), (words, width) => {
        const lines = wrap(words.join(" "), width);
        expect(lines.join("").replaceAll(" ", "")).toBe(words.join(""));
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("lines", () => {
  it("are truncated to a width, whatever their content", () => {
    fc.assert(
      fc.property(fc.array(someText), fc.integer({ min: 0, max: 60 }), (texts, width) => {
        const line = texts.map((text) => ({ text }));
        expect(lineWidth(cutLine(line, width))).toBeLessThanOrEqual(width);
        expect(lineWidth(spread(line, lineOf("end"), width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("end with an ellipsis when truncated", () => {
    expect(textOf(cutLine([{ text: "abc" }, { text: "def" }], 3))).toBe("ab…");
    expect(textOf(cutLine([{ text: "abc" }, { text: "def" }], 5))).toBe("abcd…");
    expect(textOf(spread(lineOf("left"), lineOf("right"), 12))).toBe("left   right");
  });
});

describe("columns", () => {
  const rows = [{ value: (at: number) => ["a-long-name", "value", "a message with many words"][at] ?? "" }];
  const columns: ColumnQuestion["columns"] = [
    { title: "NAME" },
    { title: "VALUE", drop: 1 },
    { title: "MESSAGE", isFilling: true },
  ];
  const place = (width: number) =>
    placeColumns({ columns, rows, width, now: new Date(0) }).map(({ at, width: own }) => [at, own]);

  it.each([
    [
      60,
      [
        [0, 11],
        [1, 6],
        [2, 39],
      ],
    ],
    [
      37,
      [
        [0, 11],
        [1, 6],
        [2, 16],
      ],
    ],
    [
      36,
      [
        [0, 11],
        [2, 23],
      ],
    ],
    [
      20,
      [
        [0, 9],
        [2, 9],
      ],
    ],
  ])("in %i columns", (width, expected) => {
    expect(place(width)).toEqual(expected);
  });
});
