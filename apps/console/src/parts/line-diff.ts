// The path of its own keeps the other comparisons out of the bundle.
import { diffArrays } from "diff/lib/diff/array.js";

/** A line of one or both texts. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Longer texts are not compared line by line, because that would take too long. */
const mostLines = 2_000;
/** Texts that differ in more lines are not compared either: the time grows with the square of this number. */
const mostChanges = 1_000;

/** The minimal line diff between two texts. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const left = linesOf(before);
  const right = linesOf(after);
  const isLong = Math.max(left.length, right.length) > mostLines;
  const parts = isLong ? undefined : diffArrays(left, right, { maxEditLength: mostChanges });
  if (parts === undefined) return [...linesAs("gone", left), ...linesAs("new", right)];
  return parts.flatMap(({ value, added, removed }) => linesAs(added ? "new" : removed ? "gone" : "same", value));
}

/** Whether anything differs. */
export function hasChange(lines: readonly DiffLine[]): boolean {
  return lines.some(({ kind }) => kind !== "same");
}

function linesAs(kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
