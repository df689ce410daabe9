/**
 * Makes untrusted text safe for a terminal: on one line, and without characters that move the cursor, change colors or
 * reverse the text direction.
 */
export function printable(text: string): string {
  // Most texts are names, versions and numbers.
  if (/^[!-~]*$/.test(text)) return text;
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (/\s/u.test(character) ? " " : ""))
    .replace(/\s+/gu, " ")
    .trim();
}
