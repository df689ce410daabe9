/** Something that the palette can find. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** What it is among: places, clusters, actions. */
  readonly group: string;
  /** More words that it is found by. */
  readonly words?: string;
  /** Keys that do the same. */
  readonly keys?: string;
  readonly onSelect: () => void;
}

/** The most that is shown; who wants more writes more. */
const mostShown = 50;

/** Entries in which every written word occurs, the best first: those whose name begins with what is written. */
export function matchEntries(entries: readonly PaletteEntry[], written: string): PaletteEntry[] {
  const words = written
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const first = words[0] ?? "";
  return entries
    .map((entry) => ({ entry, text: `${entry.label} ${entry.group} ${entry.words ?? ""}`.toLowerCase() }))
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ entry, text }) => ({ entry, rank: text.startsWith(first) ? 0 : text.includes(` ${first}`) ? 1 : 2 }))
    .sort((left, right) => left.rank - right.rank)
    .slice(0, mostShown)
    .map(({ entry }) => entry);
}
