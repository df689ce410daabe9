import { type SearchInput, textParam } from "../../data/search-params.ts";

/** What a list of clusters is narrowed to and sorted by, as the address has it. */
export interface ClustersSearch {
  readonly q?: string | undefined;
  readonly phase?: string | undefined;
  readonly sort?: string | undefined;
}

/** Reads the address. */
export function clustersSearch(search: SearchInput): ClustersSearch {
  return { ...textParam(search, "q"), ...textParam(search, "phase"), ...textParam(search, "sort") };
}
