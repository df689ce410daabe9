/** A word quoted for a POSIX shell, for commands that messages suggest. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command line of these words, quoted. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(shellQuote).join(" ");
}
