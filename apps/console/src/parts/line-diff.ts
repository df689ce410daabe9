/** A line of one or both texts. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Longer texts are not compared line by line, because that would take too long. */
const mostLines = 2_000;

/** The minimal line diff between two texts. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const left = linesOf(before);
  const right = linesOf(after);
  if (Math.max(left.length, right.length) > mostLines) {
    return [...left.map((text) => line("gone", text)), ...right.map((text) => line("new", text))];
  }
  const common = commonLengths(left, right);
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [old, fresh] = [left[row], right[column]];
    if (old !== undefined && old === fresh) {
      lines.push(line("same", old));
      row++;
      column++;
    } else if (
      old !== undefined &&
      (fresh === undefined || at(common, row + 1, column) >= at(common, row, column + 1))
    ) {
      lines.push(line("gone", old));
      row++;
    } else {
      lines.push(line("new", fresh ?? ""));
      column++;
    }
  }
  return lines;
}

/** Whether anything differs. */
export function hasChange(lines: readonly DiffLine[]): boolean {
  return lines.some(({ kind }) => kind !== "same");
}

function line(kind: DiffLine["kind"], text: string): DiffLine {
  return { kind, text };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Length of the longest common subsequence for every pair of suffixes. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly Uint16Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const best =
        left[row] === right[column]
          ? at(table, row + 1, column + 1) + 1
          : Math.max(at(table, row + 1, column), at(table, row, column + 1));
      table[row]?.fill(best, column, column + 1);
    }
  }
  return table;
}

function at(table: readonly Uint16Array[], row: number, column: number): number {
  return table[row]?.[column] ?? 0;
}
