import type { DialogState } from "../model/state.ts";
import { type Line, type Look } from "./line.ts";
import { cut, fit, wrap } from "./text.ts";

const widest = 76;

interface BoxLine {
  readonly text: string;
  readonly look?: Look | undefined;
}

/** A question as a box, centered horizontally. */
export function dialogLines(dialog: DialogState, columns: number): readonly Line[] {
  const width = Math.min(widest, columns - 4);
  const inner = width - 4;
  const margin = " ".repeat(Math.max(0, Math.floor((columns - width) / 2)));
  const { question } = dialog;
  const top = `┌ ${cut(question.title, inner - 2)} `;
  return [
    [{ text: `${margin}${top}${"─".repeat(Math.max(0, width - top.length - 1))}┐`, look: "strong" }],
    ...contentOf(dialog, inner).map(({ text, look }): Line => [
      { text: `${margin}│ `, look: "strong" },
      { text: fit(text, inner), look },
      { text: " │", look: "strong" },
    ]),
    [{ text: `${margin}└${"─".repeat(Math.max(0, width - 2))}┘`, look: "strong" }],
  ];
}

function contentOf(dialog: DialogState, width: number): BoxLine[] {
  const { question, text, fault } = dialog;
  // Keep the indent of lines that belong to the one above.
  const textLines = question.lines.flatMap((line) => {
    const indent = " ".repeat(line.length - line.trimStart().length);
    return wrap(line, width - indent.length).map((piece) => ({ text: indent + piece }));
  });
  if (question.kind === "confirm") {
    return [{ text: "" }, ...textLines, { text: "" }, { text: "y confirm   n cancel", look: "strong" }];
  }
  const tab = question.next === undefined ? "" : "Tab next   ";
  return [
    { text: "" },
    ...textLines,
    { text: "" },
    { text: `${question.label}: ${text}▏`, look: "active" },
    { text: fault === undefined ? "" : `✕ ${fault}`, look: "failed" },
    { text: `Enter continue   ${tab}Esc cancel`, look: "faint" },
  ];
}
