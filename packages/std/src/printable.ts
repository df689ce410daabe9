/**
 * Text from somewhere else as it may go to a terminal: on one line, and without characters by which it could move the
 * cursor, change colours or turn its direction around.
 */
export function printable(text: string): string {
  // Most texts are names, versions and numbers.
  if (/^[!-~]*$/.test(text)) return text;
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (/\s/u.test(character) ? " " : ""))
    .replace(/\s+/gu, " ")
    .trim();
}
