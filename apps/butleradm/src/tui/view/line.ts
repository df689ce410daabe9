import type { Tone } from "@butler/api";
import { cut, widthOf } from "./text.ts";

/** Meaning of a piece of text, which determines its style. */
export type Look = Tone | "strong" | "faint" | "selected" | "active";

/** A piece of a line with one style. */
export interface Span {
  readonly text: string;
  readonly look?: Look | undefined;
}

/** A line of the screen. */
export type Line = readonly Span[];

/** A line of one piece. */
export function lineOf(text: string, look?: Look): Line {
  return [{ text, look }];
}

/** How many columns a line takes up. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** The line cut to a width. */
export function cutLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line;
  const kept: Span[] = [];
  let room = width;
  for (const span of line) {
    const needed = widthOf(span.text);
    if (needed < room) kept.push(span);
    else {
      // The rest is cut off even if this piece just fits.
      kept.push({ ...span, text: needed === room ? cut(`${span.text} `, room) : cut(span.text, room) });
      break;
    }
    room -= needed;
  }
  return kept;
}

/** Two lines in one, the second right-aligned. The first is cut if needed. */
export function spread(left: Line, right: Line, width: number): Line {
  const room = Math.max(0, width - lineWidth(right));
  const begin = cutLine(left, Math.max(0, room - 1));
  const gap = " ".repeat(Math.max(0, room - lineWidth(begin)));
  return cutLine([...begin, { text: gap }, ...right], width);
}

/** The text of a line without styles. */
export function textOf(line: Line): string {
  return line.map(({ text }) => text).join("");
}
