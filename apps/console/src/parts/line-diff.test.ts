import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasChange, lineDiff } from "./line-diff.ts";

const shown = (before: string, after: string): string[] =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: " ", gone: "-", new: "+" }[kind]}${text}`);

describe("lineDiff", () => {
  it.each([
    ["", "", []],
    ["a\n", "", ["-a"]],
    ["", "a\n", ["+a"]],
    ["a\nb\nc\n", "a\nx\nc\n", [" a", "-b", "+x", " c"]],
    ["a\nb\n", "b\na\n", ["-a", " b", "+a"]],
  ])("from %j to %j", (before, after, lines) => expect(shown(before, after)).toEqual(lines));

  it("transforms one text into the other, and is empty for equal texts", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d: 1"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const lines = lineDiff(left.join("\n"), right.join("\n"));
        expect(lines.filter(({ kind }) => kind !== "new").map((line) => line.text)).toEqual(left);
        expect(lines.filter(({ kind }) => kind !== "gone").map((line) => line.text)).toEqual(right);
        expect(hasChange(lines)).toBe(left.join("\n") !== right.join("\n"));
      }),
    );
  });

  it("replaces very long texts as a whole", () => {
    const long = Array.from({ length: 2_500 }, (_none, index) => `line ${index}`).join("\n");
    expect(lineDiff(long, `${long}\nmore`)).toHaveLength(5_001);
  });

  it("replaces texts that differ in most lines as a whole", () => {
    const numbered = (word: string): string[] => Array.from({ length: 600 }, (_none, index) => `${word} ${index}`);
    const lines = shown(["same", ...numbered("old")].join("\n"), ["same", ...numbered("new")].join("\n"));
    expect(lines).toHaveLength(1_202);
    expect([lines[0], lines[601]]).toEqual(["-same", "+same"]);
  });
});
