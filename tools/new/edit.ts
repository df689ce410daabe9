/** A line added to an existing file. */
export type Edit =
  /** After the last import. */
  | { readonly type: "import"; readonly path: string; readonly line: string }
  /** At the end of the file. */
  | { readonly type: "append"; readonly path: string; readonly line: string }
  /** As the last entry of the list that starts with a text and ends with another. */
  | {
      readonly type: "entry";
      readonly path: string;
      readonly from: string;
      readonly to: string;
      readonly line: string;
    };

/** The text with the line added. Throws when the place for it does not exist. */
export function applyEdit(text: string, edit: Edit): string {
  switch (edit.type) {
    case "append":
      return `${text.trimEnd()}\n${edit.line}\n`;
    case "import":
      return insertAt(text, endOfImports(text), `${edit.line}\n`);
    case "entry": {
      const start = text.indexOf(edit.from);
      const end = start < 0 ? -1 : text.indexOf(edit.to, start + edit.from.length);
      if (end < 0) throw new Error(`${edit.path} has no list from "${edit.from}" to "${edit.to.trim()}"`);
      // Another scaffold may have added it: a controller and a route import the same kind.
      const present = text
        .slice(start, end)
        .split("\n")
        .map((line) => line.trim());
      if (present.includes(edit.line.trim())) return text;
      // A list in one line has no comma after its last entry.
      const needsComma = edit.line.endsWith(",") && !/[,[{]\s*$/.test(text.slice(0, end));
      return insertAt(text, end, `${needsComma ? "," : ""}\n${edit.line}`);
    }
  }
}

function insertAt(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** The start of the line after the last import. */
function endOfImports(text: string): number {
  const imports = [...text.matchAll(/^(?:import|\}) .*(?:from )?"[^"]+"(?: with .*)?;\n/gm)];
  const last = imports.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
