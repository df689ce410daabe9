import type { AddonView, CatalogEntry } from "../../parts/addon-facts.ts";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import type { CatalogSearch } from "./catalog-search.ts";

/** Entries of the category that contain every word, sorted by title. */
export function selectEntries(
  entries: readonly CatalogEntry[],
  { q = "", category }: Pick<CatalogSearch, "q" | "category">,
): CatalogEntry[] {
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

/** An add-on from the live channel, with its cluster. */
export interface PlacedAddon extends AddonView {
  readonly namespace: string;
  readonly cluster: string;
}

/** The installations of an entry, sorted by cluster name. */
export function usersOf(entry: string, addons: readonly PlacedAddon[]): PlacedAddon[] {
  return addons
    .filter(({ addon }) => addon === entry)
    .sort((left, right) => left.cluster.localeCompare(right.cluster, "en"));
}

/** Clusters without the entry, sorted by name. Clusters being deleted are omitted. */
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
