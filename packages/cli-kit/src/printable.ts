/**
 * Text from somewhere else as it may go to a terminal: on one line, and without characters by which it could move the
 * cursor, change colours or turn its direction around.
 */
export function printable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (/\s/u.test(character) ? " " : ""))
    .replace(/\s+/gu, " ")
    .trim();
}

/** The text cut to a number of characters, with an ellipsis where something is missing. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
}
