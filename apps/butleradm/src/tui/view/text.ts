import { printable } from "@butler/std";
import stringWidth from "string-width";

/** How many columns of a terminal a text takes up. */
export function widthOf(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** Most texts are plain, and counting them is much cheaper. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

const segmenter = new Intl.Segmenter();

/** The characters of a text as people count them. */
export function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The text cut to a width, with an ellipsis where something is missing. */
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

/** The text cut or filled up to exactly a width. */
export function fit(text: string, width: number, align: "left" | "right" = "left"): string {
  const short = cut(text, width);
  const filling = " ".repeat(Math.max(0, width - widthOf(short)));
  return align === "left" ? short + filling : filling + short;
}

/** A text from somewhere else in lines of at most a width, broken between words where that is possible. */
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
