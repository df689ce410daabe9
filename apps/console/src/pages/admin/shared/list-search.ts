import { type SearchInput, textParam } from "../../../data/search-params.ts";

/** What a list is narrowed to and sorted by, and which row is open beside it, as the address has it. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly open?: string | undefined;
}

/** Reads the address of a list. */
export function listSearch(search: SearchInput): ListSearch {
  return { ...textParam(search, "q"), ...textParam(search, "sort"), ...textParam(search, "open") };
}

/** What every page with a list is given: where it is, and a way to be elsewhere. */
export interface SearchProps<Search = ListSearch> {
  readonly search: Search;
  readonly onSearch: (change: Search) => void;
}

/** Rows in whose texts every word occurs; capitals do not matter. */
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
