import { type SearchInput, textParam } from "../../data/search-params.ts";

/** Filters and open entry of the catalog, as kept in the URL. */
export interface CatalogSearch {
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  /** Name of the open entry. */
  readonly entry?: string | undefined;
}

/** Parses the search parameters. */
export function catalogSearch(search: SearchInput): CatalogSearch {
  return { ...textParam(search, "q"), ...textParam(search, "category"), ...textParam(search, "entry") };
}
