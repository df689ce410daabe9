import { type SearchInput, textParam } from "../../data/search-params.ts";

/** Filter and sorting of a cluster list, as kept in the URL. */
export interface ClustersSearch {
  readonly q?: string | undefined;
  readonly phase?: string | undefined;
  readonly sort?: string | undefined;
}

/** Parses the search parameters. */
export function clustersSearch(search: SearchInput): ClustersSearch {
  return { ...textParam(search, "q"), ...textParam(search, "phase"), ...textParam(search, "sort") };
}
