const codes = { good: "1;32", busy: "33", bad: "1;31", faint: "90", leaving: "35", strong: "1" } as const;

/** What a piece of text means, which on a terminal decides its colour. */
export type Style = keyof typeof codes;

/** Gives text its colour, or leaves it as it is. */
export type Paint = (style: Style | undefined, text: string) => string;

/** Leaves text as it is: what files, pipes and people without colours get. */
export const plainPaint: Paint = (_style, text) => text;

/** Colours text with the codes that every terminal knows. */
export const colourPaint: Paint = (style, text) =>
  style === undefined || text === "" ? text : `\u001B[${codes[style]}m${text}\u001B[0m`;

/** Whether a stream gets colours: only a terminal whose user has not asked for none (no-color.org). */
export function wantsColour(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const isRefused = ["NO_COLOR", "BUTLER_NO_COLOR"].some((name) => (environment[name] ?? "") !== "");
  return isTerminal && !isRefused && environment["TERM"] !== "dumb";
}
