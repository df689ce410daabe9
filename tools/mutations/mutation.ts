/** A line of the product, how it is broken, and the test that must fail then. */
export interface Mutation {
  /** The effect on users, in a few words. */
  readonly harm: string;
  /** The product file, relative to the root of the repository. */
  readonly file: string;
  /** Text of one line that occurs once in the file. */
  readonly line: string;
  /** Its replacement. */
  readonly broken: string;
  /** The test file that must fail. */
  readonly test: string;
  /** The full name of the test that fails, or a part of it. */
  readonly fails: string;
}

/** The text of a product file with a mutation applied. Throws if the line does not occur exactly once. */
export function applyMutation(text: string, { file, line, broken }: Mutation): string {
  const times = text.split(line).length - 1;
  if (times !== 1) throw new Error(`${file} has the line ${times} times, expected once: ${line}`);
  // A function, because a replacement string has special characters.
  return text.replace(line, () => broken);
}

/** Whether a mutation contains all words; without words, every mutation matches. */
export function isMeant({ harm, file, test, fails }: Mutation, words: readonly string[]): boolean {
  return words.every((word) => [harm, file, test, fails].some((text) => text.includes(word)));
}
