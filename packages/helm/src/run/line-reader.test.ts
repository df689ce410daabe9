import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineReader } from "./line-reader.ts";

function read(chunks: readonly Buffer[], limits = { longestLine: 100, mostLines: 100 }): string[] {
  const lines: string[] = [];
  const reader = new LineReader(limits, (line) => lines.push(line));
  for (const chunk of chunks) reader.write(chunk);
  reader.end();
  return lines;
}

describe("LineReader", () => {
  it("returns the same lines however they are split into chunks, even within a character", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ""));
    const cuts = fc.array(fc.nat({ max: 200 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), cuts, (lines, at) => {
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(""));
        const places = [0, ...at.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect(read(chunks)).toEqual(lines);
      }),
    );
  });

  it("passes on an unterminated last line", () => {
    expect(read([Buffer.from("one\r\ntwo")])).toEqual(["one", "two"]);
  });

  it("truncates long lines, and keeps nothing of the rest", () => {
    const limits = { longestLine: 5, mostLines: 3 };
    expect(read([Buffer.from("abc"), Buffer.from("defgh"), Buffer.from("\nshort\n")], limits)).toEqual([
      "abcde…",
      "short",
    ]);
  });

  it("stops after the line limit, and says so once", () => {
    const limits = { longestLine: 5, mostLines: 2 };
    expect(read([Buffer.from("1\n2\n3\n4\n5\n")], limits)).toEqual(["1", "2", "(further output omitted)"]);
  });
});
