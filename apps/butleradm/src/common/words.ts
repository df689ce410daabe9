import { InvalidArgumentError } from "commander";

/** Parses an option that may be repeated. */
export function repeated(word: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), word];
}

/** Normalizes an email address: trimmed, in lowercase. */
export function emailAddress(word: string): string {
  const email = word.trim().toLowerCase();
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return email;
  throw new InvalidArgumentError("Must be an email address such as ada@example.com.");
}

/** Validates a name as a DNS label. */
export function objectName(word: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(word)) return word;
  throw new InvalidArgumentError(
    "Must consist of at most 63 lowercase letters, digits or '-', and start and end with a letter or digit.",
  );
}

/** A number with its noun: `1 cluster`, `2 clusters`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
