import { printable } from "@butler/std";
import stringWidth from "string-width";

/** Width of a text in terminal columns. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** Most texts are ASCII, and measuring them is much cheaper. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

const segmenter = new Intl.Segmenter();

/** The grapheme clusters of a text. */
export function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The text truncated to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (width <= 0) return "";
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const more = widthOf(segment);
    if (used + more > width - 1) break;
    kept += segment;
    used += more;
  }
  return `${kept}…`;
}

/** The text truncated or padded to exactly a width. */
export function fit(text: string, width: number, align: "left" | "right" = "left"): string {
  const short = cut(text, width);
  const filling = " ".repeat(Math.max(0, width - widthOf(short)));
  return align === "left" ? short + filling : filling + short;
}

/** Wraps an external text to a width, between words where possible. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(1, width);
  const lines: string[] = [];
  let line = "";
  for (const word of printable(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = piecesOf(word, room);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return line === "" ? lines : [...lines, line];
}

function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const { segment } of segmenter.segment(word)) {
    if (piece !== "" && widthOf(piece + segment) > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += segment;
  }
  return [...pieces, piece];
}
