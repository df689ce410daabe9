export { printable } from "@butler/std";

/** The text truncated to a number of characters, with an ellipsis. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
}
