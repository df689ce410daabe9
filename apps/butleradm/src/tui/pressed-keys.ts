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

const controlCodes: Readonly<Record<string, Exclude<KeyPress["name"], "text">>> = {
  "\t": "tab",
  "\b": "backspace",
  "\u001B": "escape",
  "\u007F": "backspace",
};

/** The keys in the terminal's input. Several characters may arrive at once, such as on paste. */
export function pressedKeys(input: string, key: Key): KeyPress[] {
  if (key.tab) return [{ name: key.shift ? "backTab" : "tab" }];
  const found = named.find(([flag]) => key[flag] === true);
  if (found !== undefined) return [{ name: found[1] }];
  if (key.ctrl) {
    const name = controlled[input];
    return name === undefined ? [] : [{ name }];
  }
  const letters = charactersOf(input).flatMap(letterOf);
  // Escape followed by a letter is indistinguishable from Alt and the letter, which has no meaning here.
  return key.meta ? [{ name: "escape" }, ...letters] : letters;
}

/** On a busy machine several keys may arrive together, including control keys. */
function letterOf(letter: string): KeyPress[] {
  if (/^[\r\n]+$/.test(letter)) return [{ name: "enter" }];
  if (!/\p{Cc}/u.test(letter)) return [{ name: "text", text: letter }];
  const name = controlCodes[letter] ?? controlled[controlLetterOf(letter)];
  return name === undefined ? [] : [{ name }];
}

/** The terminal sends Ctrl and a letter as the letter's position in the alphabet. */
function controlLetterOf(code: string): string {
  return String.fromCharCode(code.charCodeAt(0) + 96);
}
