import { describe, expect, it } from "vitest";
import { applyEdit } from "./edit.ts";

const path = "list.ts";
const entry = { type: "entry", path, from: "const all = [", to: "];", line: "  c," } as const;

describe("an edit", () => {
  it.each([
    ["several lines", "const all = [\n  a,\n  b,\n];\n", "const all = [\n  a,\n  b,\n\n  c,];\n"],
    ["one line without a last comma", "const all = [a, b];\n", "const all = [a, b,\n  c,];\n"],
    ["no entries", "const all = [];\n", "const all = [\n  c,];\n"],
  ])("adds to a list of %s", (_what, before, after) => {
    expect(applyEdit(before, entry)).toBe(after);
  });

  it("does not add an entry twice", () => {
    const text = "const all = [\n  c,\n];\n";
    expect(applyEdit(text, entry)).toBe(text);
  });

  it("adds an import after the last one, also after one of several lines", () => {
    const before = '// A list.\nimport { a } from "./a.ts";\nimport {\n  b,\n} from "./b.ts";\n\nconst text = "x";\n';
    expect(applyEdit(before, { type: "import", path, line: 'import { c } from "./c.ts";' })).toBe(
      before.replace('} from "./b.ts";\n', '} from "./b.ts";\nimport { c } from "./c.ts";\n'),
    );
  });

  it("appends a line", () => {
    expect(applyEdit("a\n", { type: "append", path, line: "b" })).toBe("a\nb\n");
  });

  it("is rejected when the list was not found", () => {
    expect(() => applyEdit("const other = [];\n", entry)).toThrow('list.ts has no list from "const all = ["');
  });
});
