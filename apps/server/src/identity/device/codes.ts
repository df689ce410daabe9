import { randomInt } from "node:crypto";

/** Letters that form no words and are not easily confused. */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";

/** A code that a user can read and type: about 34 bits, valid for ten minutes. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A code as it is compared: however it was typed. */
export function normaliseUserCode(text: string): string {
  return text.replaceAll(/[^a-z]/gi, "").toUpperCase();
}
