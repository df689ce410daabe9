import type { AddonView, CatalogueEntry } from "../../parts/addon-facts.ts";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import type { CatalogueSearch } from "./catalogue-search.ts";

/** The entries that have every word somewhere and are of the category, by title. */
export function selectEntries(
  entries: readonly CatalogueEntry[],
  { q = "", category }: Pick<CatalogueSearch, "q" | "category">,
): CatalogueEntry[] {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return entries
    .filter((entry) => category === undefined || entry.category === category)
    .filter((entry) => {
      const text = [entry.name, entry.displayName, entry.description, entry.category, entry.chartName].join(" ");
      return words.every((word) => text.toLowerCase().includes(word));
    })
    .sort((left, right) => left.displayName.localeCompare(right.displayName, "en"));
}

/** An add-on as the live channel tells it: with the cluster that it is in. */
export interface PlacedAddon extends AddonView {
  readonly namespace: string;
  readonly cluster: string;
}

/** The clusters that have an entry, by name. */
export function usersOf(entry: string, addons: readonly PlacedAddon[]): PlacedAddon[] {
  return addons
    .filter(({ addon }) => addon === entry)
    .sort((left, right) => left.cluster.localeCompare(right.cluster, "en"));
}

/** The clusters that an entry can still be put into, by name. Those that are going are left out. */
export function clustersWithout(
  entry: string,
  { clusters, addons }: { readonly clusters: readonly ClusterView[]; readonly addons: readonly PlacedAddon[] },
): ClusterView[] {
  const having = new Set(usersOf(entry, addons).map(({ namespace, cluster }) => `${namespace}/${cluster}`));
  return clusters
    .filter(({ metadata }) => !having.has(`${metadata.namespace}/${metadata.name}`))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort((left, right) => left.metadata.name.localeCompare(right.metadata.name, "en"));
}
