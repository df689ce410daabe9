/** One value of a benchmark and its baseline from the same run. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly baseline: number;
  /** Whether a ratio above 1 is good (rates) or bad (times, memory). */
  readonly better: "higher" | "lower";
}

/** Prints a table of values with their ratios, followed by one line of JSON. */
export function printReport(
  benchmark: string,
  figures: readonly Figure[],
  facts: Readonly<Record<string, unknown>>,
): void {
  const rows = figures.map(({ name, unit, ours, baseline, better }) => [
    name,
    `${round(ours)} ${unit}`,
    `${round(baseline)} ${unit}`,
    round(ours / baseline).toString(),
    better,
  ]);
  const header = ["figure", "butler", "baseline", "ratio", "better"];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  console.log([line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n"));
  for (const [name, value] of Object.entries(facts)) console.log(`${name}: ${JSON.stringify(value)}`);
  const ratios = Object.fromEntries(figures.map(({ name, ours, baseline }) => [name, round(ours / baseline)]));
  console.log(JSON.stringify({ benchmark, figures, ratios, ...facts }));
}

/** The percentile of sorted values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
