import { type SearchInput, textParam } from "../../data/search-params.ts";

/** What the catalogue shows, as the address has it. */
export interface CatalogueSearch {
  readonly q?: string | undefined;
  readonly category?: string | undefined;
  /** The entry that is open. */
  readonly entry?: string | undefined;
}

/** Reads the address. */
export function catalogueSearch(search: SearchInput): CatalogueSearch {
  return { ...textParam(search, "q"), ...textParam(search, "category"), ...textParam(search, "entry") };
}
