import { charactersOf } from "../view/text.ts";
import type { Change, Outcome, Question } from "./offer.ts";
import { isConnected, withNotice } from "./notice.ts";
import type { DialogState, KeyPress, Step, TuiState } from "./state.ts";

/** Maximum length of an answer. */
const longestAnswer = 253;

/** The initial state of a question. */
export function openDialog(question: Question): DialogState {
  return { question, text: question.kind === "type" ? question.initial : "", isFresh: true, fault: undefined };
}

/** Handles a key in a dialog. */
export function keyInDialog(state: TuiState, dialog: DialogState, key: KeyPress): Step {
  if (key.name === "escape") return { state: { ...state, dialog: undefined }, effects: [] };
  return dialog.question.kind === "confirm"
    ? keyInConfirmation(state, dialog.question, key)
    : keyInAnswer(state, dialog, key);
}

function keyInConfirmation(state: TuiState, { change }: { readonly change: Change }, key: KeyPress): Step {
  const letter = key.name === "text" ? key.text.toLowerCase() : "";
  if (letter === "y") return perform(state, change);
  return { state: letter === "n" ? { ...state, dialog: undefined } : state, effects: [] };
}

function keyInAnswer(state: TuiState, dialog: DialogState, key: KeyPress): Step {
  const { question, text } = dialog;
  if (question.kind !== "type") return { state, effects: [] };
  if (key.name === "enter") return follow(state, dialog, question.answered(text));
  if (key.name === "tab" && question.next !== undefined) {
    return { state: { ...state, dialog: openDialog(question.next()) }, effects: [] };
  }
  const edited = edit(dialog, key);
  return { state: edited === undefined ? state : { ...state, dialog: edited }, effects: [] };
}

function edit(dialog: DialogState, key: KeyPress): DialogState | undefined {
  const { text, isFresh } = dialog;
  const changed = { ...dialog, isFresh: false, fault: undefined };
  if (key.name === "text") return { ...changed, text: ((isFresh ? "" : text) + key.text).slice(0, longestAnswer) };
  if (key.name === "backspace") return { ...changed, text: withoutLast(text) };
  return key.name === "clear" ? { ...changed, text: "" } : undefined;
}

function follow(state: TuiState, dialog: DialogState, outcome: Outcome): Step {
  if (outcome.kind === "change") return perform(state, outcome.change);
  const next = outcome.kind === "ask" ? openDialog(outcome.question) : { ...dialog, fault: outcome.fault };
  return { state: { ...state, dialog: next }, effects: [] };
}

/** Changes are not sent while the data may be outdated. */
function perform(state: TuiState, change: Change): Step {
  const closed = { ...state, dialog: undefined };
  if (!isConnected(state)) {
    return { state: withNotice(closed, "attention", "Not connected; nothing was changed."), effects: [] };
  }
  const noticed = withNotice(closed, "working", `${change.what} …`);
  return { state: noticed, effects: [{ type: "perform", change }] };
}

/** The text without its last character. */
export function withoutLast(text: string): string {
  return charactersOf(text).slice(0, -1).join("");
}
