/**
 * A name in the form in which names are compared: without surrounding ASCII spaces, composed (NFKC), and with ASCII
 * letters in lower case. Other letters keep their case: rules for them depend on the language, and some of them end in
 * ASCII letters (the Kelvin sign as k, the Turkish İ as i).
 */
export function foldName(text: string): string {
  const trimmed = trimAscii(text);
  return lowerAscii(isPlainName(trimmed) ? trimmed.normalize("NFKC") : trimmed);
}

/**
 * Whether no character of a name stands for another one, as fullwidth letters, ligatures and the Kelvin sign do.
 * Normalization would turn such a name into that of another user or group; a name with such characters is only equal to itself.
 */
export function isPlainName(text: string): boolean {
  return Array.from(text).every((character) => character.normalize("NFKC") === character);
}

/** A text without surrounding ASCII spaces. Others, such as the no-break space, are part of a name. */
export function trimAscii(text: string): string {
  return text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}

/** A text with its ASCII letters in lower case. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
