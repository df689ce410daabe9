/** An entry of the palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** Group of the entry, such as places, clusters or actions. */
  readonly group: string;
  /** Additional search words. */
  readonly words?: string;
  /** Keyboard shortcut of the entry. */
  readonly keys?: string;
  readonly onSelect: () => void;
}

/** Maximum number of results. */
const mostShown = 50;

/** Entries that contain every word, best matches first: those whose label starts with the query. */
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
