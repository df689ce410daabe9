/** A word as a POSIX shell takes it for exactly that word: for commands that a text suggests to copy. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command line of these words. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(shellQuote).join(" ");
}
