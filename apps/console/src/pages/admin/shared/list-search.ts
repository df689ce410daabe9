import { type SearchInput, textParam } from "../../../data/search-params.ts";

/** Filter, sorting and open row of a list, as kept in the URL. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly open?: string | undefined;
}

/** Parses the search parameters of a list. */
export function listSearch(search: SearchInput): ListSearch {
  return { ...textParam(search, "q"), ...textParam(search, "sort"), ...textParam(search, "open") };
}

/** Search parameters of a list page and the function that changes them. */
export interface SearchProps<Search = ListSearch> {
  readonly search: Search;
  readonly onSearch: (change: Search) => void;
}

/** Rows whose texts contain every word, case-insensitively. */
export function selectRows<Row>(
  rows: readonly Row[],
  q: string | undefined,
  textsOf: (row: Row) => readonly (string | undefined)[],
): readonly Row[] {
  const words = (q ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textsOf(row).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
