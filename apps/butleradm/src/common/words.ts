import { InvalidArgumentError } from "commander";

/** Reads an option that may be given several times. */
export function repeated(word: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), word];
}

/** Reads an e-mail address as it is kept: without blanks, in lower case. */
export function emailAddress(word: string): string {
  const email = word.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return email;
  throw new InvalidArgumentError("It takes an e-mail address such as ada@example.com.");
}

/** A name that Kubernetes takes for a label's worth of text: lower-case letters, digits and '-'. */
export function objectName(word: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(word)) return word;
  throw new InvalidArgumentError("It takes at most 63 lower-case letters, digits and '-'.");
}

/** A few words, one beside the other: `1 cluster`, `2 clusters`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
