const codes = { good: "1;32", busy: "33", bad: "1;31", faint: "90", leaving: "35", strong: "1" } as const;

/** Meaning of a piece of text, which determines its color on a terminal. */
export type Style = keyof typeof codes;

/** Colors text, or returns it unchanged. */
export type Paint = (style: Style | undefined, text: string) => string;

/** Returns text unchanged, for files, pipes and terminals without colors. */
export const plainPaint: Paint = (_style, text) => text;

/** Colors text with standard ANSI codes. */
export const colourPaint: Paint = (style, text) =>
  style === undefined || text === "" ? text : `\u001B[${codes[style]}m${text}\u001B[0m`;

/** Whether a stream gets colors: only a terminal whose user has not disabled them (no-color.org). */
export function wantsColour(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const isRefused = ["NO_COLOR", "BUTLER_NO_COLOR"].some((name) => (environment[name] ?? "") !== "");
  return isTerminal && !isRefused && environment["TERM"] !== "dumb";
}
