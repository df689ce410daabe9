import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitDocuments } from "./split-documents.ts";

describe("the documents of a stream", () => {
  it.each<[string, string, readonly string[]]>([
    ["nothing", "", []],
    ["blanks and borders", "---\n  \n---\n\n---", []],
    ["one without a border", "a: 1\n", ["a: 1\n"]],
    [
      "Helm's form",
      "---\n# Source: x\na: 1\n---\n# Source: y\nb: 2\n",
      ["\n# Source: x\na: 1\n", "\n# Source: y\nb: 2\n"],
    ],
    ["content behind a border", "--- {a: 1}\n--- # c\nb: 2", [" {a: 1}\n", " # c\nb: 2"]],
    ["Windows' line ends", "a: 1\r\n---\r\nb: 2", ["a: 1\r\n", "\r\nb: 2"]],
    ["dashes that are no border", "a: ---\nb: |\n  ---\n----\n---x: 1\n", ["a: ---\nb: |\n  ---\n----\n---x: 1\n"]],
    ["an end without a beginning", "a: 1\n...\nb: 2", ["a: 1\n", "\nb: 2"]],
  ])("%s", (_what, text, documents) => expect(splitDocuments(text)).toEqual(documents));

  it("are those that were joined", () => {
    const line = fc.stringMatching(/^[a-z]{1,5}: [a-z-]{1,8}$/);
    const document = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(fc.array(document), (documents) => {
        const manifest = documents.map((text) => `---\n${text}\n`).join("");
        expect(splitDocuments(manifest).map((text) => text.trim())).toEqual(documents);
      }),
    );
  });
});
