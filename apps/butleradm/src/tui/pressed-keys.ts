import type { Key } from "ink";
import type { KeyPress } from "./model/state.ts";
import { charactersOf } from "./view/text.ts";

const named: readonly (readonly [keyof Key, Exclude<KeyPress["name"], "text">])[] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageUp"],
  ["pageDown", "pageDown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
];

const controlled: Readonly<Record<string, Exclude<KeyPress["name"], "text">>> = {
  c: "interrupt",
  u: "clear",
  d: "pageDown",
  b: "pageUp",
  f: "pageDown",
};

/** The keys behind what the terminal sent. Several letters may come at once, as when something is pasted. */
export function pressedKeys(input: string, key: Key): KeyPress[] {
  if (key.tab) return [{ name: key.shift ? "backTab" : "tab" }];
  const found = named.find(([flag]) => key[flag] === true);
  if (found !== undefined) return [{ name: found[1] }];
  if (key.ctrl) {
    const name = controlled[input];
    return name === undefined ? [] : [{ name }];
  }
  const letters = charactersOf(input).flatMap(letterOf);
  // Escape and a letter right after it cannot be told from Alt and the letter, which means nothing here.
  return key.meta ? [{ name: "escape" }, ...letters] : letters;
}

function letterOf(letter: string): KeyPress[] {
  if (/^[\r\n]+$/.test(letter)) return [{ name: "enter" }];
  if (letter === "\u0003") return [{ name: "interrupt" }];
  return /\p{Cc}/u.test(letter) ? [] : [{ name: "text", text: letter }];
}
