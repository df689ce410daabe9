import type { ListSearch, SearchProps } from "./list-search.ts";

/** As much of a route's API as a list needs of it. */
interface ListRoute {
  readonly useSearch: () => ListSearch;
  readonly useNavigate: () => (change: {
    readonly search: (before: ListSearch) => ListSearch;
    readonly replace: boolean;
  }) => Promise<void>;
}

/** Where a list is, from the address and back to it. */
export function useListSearch(route: ListRoute): SearchProps {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return {
    search,
    onSearch: (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
  };
}
