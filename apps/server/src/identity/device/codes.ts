import { randomInt } from "node:crypto";

/** Letters that make no words and are not taken for one another. */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";

/** A code that a person can read and type: about 34 bits, for ten minutes. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** A code as it is compared: however it was typed. */
export function normaliseUserCode(text: string): string {
  return text.replaceAll(/[^a-z]/gi, "").toUpperCase();
}
