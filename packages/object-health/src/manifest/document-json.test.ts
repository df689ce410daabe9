import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { documentJson } from "./document-json.ts";

function read(text: string): unknown {
  const result = documentJson(text);
  if ("fault" in result) expect.fail(result.fault);
  return JSON.parse(result.json);
}

const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"]
  .concat(
    "bcdefghi".split("").map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`).join(", ")}]`),
  )
  .join("\n");

describe("a document", () => {
  // The result of Helm 4 for the same text with fromYaml and toJson.
  it.each<[string, unknown]>([
    ["yes", true],
    ["y", true],
    ["No", false],
    ["0777", 511],
    ["0o17", 15],
    ["-0o17", -15],
    ["0o8", "0o8"],
    ["08", 8],
    ["0b11", 3],
    ["0x1F", 31],
    ["1_000", 1000],
    ["1_0.5", 10.5],
    ["1e3", 1000],
    ["+5", 5],
    [".5", 0.5],
    ["5.", 5],
    ["1.10", 1.1],
    ["1:30", "1:30"],
    ["2001-01-01", "2001-01-01"],
    ["2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"],
    ["~", null],
    ["=", "="],
    ["!!binary aGVsbG8=", "hello"],
  ])("reads %s as Helm does", (text, value) => expect(read(`value: ${text}`)).toEqual({ value }));

  it("reads keys as Helm does", () => {
    expect(read("y: 1\non: 2\n80: 3\nn: 4\n")).toEqual({ true: 2, 80: 3, false: 4 });
    expect(read("a: &a {x: 1}\nb: {<<: *a, z: 2}")).toMatchObject({ b: { x: 1, z: 2 } });
    expect(Object.keys(read("__proto__: {a: 1}\nconstructor: 2") as object)).toEqual(["__proto__", "constructor"]);
  });

  it("is nothing when it is empty or only a comment", () => {
    expect([read(""), read("# Source: x\n"), read("null")]).toEqual([null, null, null]);
  });

  it.each<[string, string, RegExp]>([
    ["broken", "a: 1\nb: [hunter2", /^invalid YAML on line \d \([A-Z_]+\)$/],
    ["badly indented", "a:\n  b: 1\n c: hunter2", /^invalid YAML on line 3 /],
    ["with an unknown anchor", "a: *hunter2", /^undefined alias, or too many aliases$/],
    ["nested without end", "[".repeat(50_000), /more than 200 levels deep/],
    ["nested without end in maps", "a: ".repeat(50_000), /more than 200 levels deep/],
    ["nested without end in lists", "- ".repeat(50_000), /more than 200 levels deep/],
    ["a bomb", bomb, /^undefined alias, or too many aliases$/],
    ["two documents", "a: 1\n---\nb: 2", /more than one/],
    [
      "made large by its anchors",
      `a: &a "${"x".repeat(200_000)}"\nb: [${Array(60).fill("*a").join(",")}]`,
      /^larger than 8 MiB$/,
    ],
  ])("is rejected when it is %s, without quoting it", (_what, text, fault) => {
    const result = documentJson(text);
    expect(result).toEqual({ fault: expect.stringMatching(fault) as string });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });

  it("may be nested as deeply as the deepest schemas", () => {
    const depth = 120;
    const text = Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:`).join("\n");
    let level: unknown = read(text);
    for (let at = 0; at < depth; at++) level = (level as { a: unknown }).a;
    expect(level).toBeNull();
  });

  it("round-trips all data", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        expect(read(stringify(data, { version: "1.1" }))).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it("is read or rejected, whatever it contains", () => {
    const piece = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "&a ",
      "*a",
      "|",
      ">",
      '"',
      "'",
      "#",
      "!",
      "? ",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 60 }).map((parts) => parts.join("")),
        ),
        (text) => {
          const result = documentJson(text);
          if ("json" in result) JSON.parse(result.json);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
