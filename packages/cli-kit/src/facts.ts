/** A property of an object: title and value. Facts without a value are not shown. */
export type Fact = readonly [title: string, value: string | undefined];

/** Facts line by line, with values aligned at column `width`, or after the longest title. */
export function factLines(facts: readonly Fact[], width?: number): string[] {
  const shown = facts.filter(([, value]) => value !== undefined && value !== "");
  const column = width ?? Math.max(0, ...shown.map(([title]) => title.length)) + 3;
  return shown.map(([title, value]) => `${`${title}:`.padEnd(column)}${value ?? ""}`);
}

/** Indented lines under a title, after a blank line; empty when there are no lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
}
