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
  it("gives the same lines however they are cut into chunks, also within a letter", () => {
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

  it("passes a last line on that nobody has ended", () => {
    expect(read([Buffer.from("one\r\ntwo")])).toEqual(["one", "two"]);
  });

  it("cuts what is too long, and keeps nothing of it", () => {
    const limits = { longestLine: 5, mostLines: 3 };
    expect(read([Buffer.from("abc"), Buffer.from("defgh"), Buffer.from("\nshort\n")], limits)).toEqual([
      "abcde…",
      "short",
    ]);
  });

  it("stops after so many lines, and says so once", () => {
    const limits = { longestLine: 5, mostLines: 2 };
    expect(read([Buffer.from("1\n2\n3\n4\n5\n")], limits)).toEqual(["1", "2", "(what follows is left out)"]);
  });
});
