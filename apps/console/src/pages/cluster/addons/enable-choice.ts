import type { AddonView, CatalogEntry } from "../../../parts/addon-facts.ts";

/** Result of checking whether a catalog entry can be enabled. */
export interface EnableChoice {
  /** Why it cannot be enabled; undefined if it can. */
  readonly refusal: string | undefined;
  /** Missing dependencies; the add-on waits for them. */
  readonly missing: readonly string[];
}

/** Checks an entry against the add-ons of a cluster. The server checks again. */
export function judgeEntry(entry: CatalogEntry, installed: readonly AddonView[]): EnableChoice {
  const names = new Set(installed.map(({ addon }) => addon));
  const clashes = entry.conflictsWith.filter((name) => names.has(name));
  const missing = entry.dependsOn.filter((name) => !names.has(name));
  if (names.has(entry.name)) return { refusal: "Already enabled on this cluster.", missing };
  if (entry.platform) return { refusal: "The platform installs it on every cluster.", missing };
  if (clashes.length > 0) return { refusal: `Conflicts with ${clashes.join(", ")}.`, missing };
  return { refusal: undefined, missing };
}

/** Entries that can be enabled, by title. */
export function enabledChoices(entries: readonly CatalogEntry[], installed: readonly AddonView[]): CatalogEntry[] {
  return entries
    .filter((entry) => judgeEntry(entry, installed).refusal === undefined)
    .sort((left, right) => left.displayName.localeCompare(right.displayName, "en"));
}
