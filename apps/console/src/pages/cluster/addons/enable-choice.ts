import type { AddonView, CatalogueEntry } from "../../../parts/addon-facts.ts";

/** What has to be known before an entry of the catalogue is enabled. */
export interface EnableChoice {
  /** Why it cannot be enabled; undefined when it can. */
  readonly refusal: string | undefined;
  /** Entries that have to be there first and are not; the add-on waits for them. */
  readonly missing: readonly string[];
}

/** Judges an entry against what a cluster has already. The server judges again. */
export function judgeEntry(entry: CatalogueEntry, installed: readonly AddonView[]): EnableChoice {
  const names = new Set(installed.map(({ addon }) => addon));
  const clashes = entry.conflictsWith.filter((name) => names.has(name));
  const missing = entry.dependsOn.filter((name) => !names.has(name));
  if (names.has(entry.name)) return { refusal: "The cluster has it already.", missing };
  if (entry.platform) return { refusal: "The platform puts it into clusters itself.", missing };
  if (clashes.length > 0) return { refusal: `It cannot be beside ${clashes.join(", ")}.`, missing };
  return { refusal: undefined, missing };
}

/** Entries that can be enabled, by title. */
export function enabledChoices(entries: readonly CatalogueEntry[], installed: readonly AddonView[]): CatalogueEntry[] {
  return entries
    .filter((entry) => judgeEntry(entry, installed).refusal === undefined)
    .sort((left, right) => left.displayName.localeCompare(right.displayName, "en"));
}
