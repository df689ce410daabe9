/** What is said about a thing: a title and a value. What has no value is not shown. */
export type Fact = readonly [title: string, value: string | undefined];

/** Facts line by line; values stand below each other, `width` columns in or as far as the titles need. */
export function factLines(facts: readonly Fact[], width?: number): string[] {
  const shown = facts.filter(([, value]) => value !== undefined && value !== "");
  const column = width ?? Math.max(0, ...shown.map(([title]) => title.length)) + 3;
  return shown.map(([title, value]) => `${`${title}:`.padEnd(column)}${value ?? ""}`);
}

/** Lines below a title, set apart from what comes before; nothing when there are no lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
}
