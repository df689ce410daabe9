import type { ListSearch, SearchProps } from "./list-search.ts";

/** The part of a route API that lists need. */
interface ListRoute {
  readonly useSearch: () => ListSearch;
  readonly useNavigate: () => (change: {
    readonly search: (before: ListSearch) => ListSearch;
    readonly replace: boolean;
  }) => Promise<void>;
}

/** Search parameters of a list page, bound to the URL. */
export function useListSearch(route: ListRoute): SearchProps {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return {
    search,
    onSearch: (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true }),
  };
}
