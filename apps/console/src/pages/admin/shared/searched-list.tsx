import { type Column, DataTable, EmptyState, parseSorting, sortingText } from "@butler/ui";
import { type ReactNode, useMemo } from "react";
import { FilterBar } from "../../../parts/filter-bar.tsx";
import { type SearchProps, selectRows } from "./list-search.ts";

/** What a list of the platform shows, and by which texts its rows are found. */
export interface SearchedListProps<Row> extends SearchProps {
  readonly label: string;
  readonly rows: readonly Row[];
  /** How many there are on the server, when not all of them have come. */
  readonly total?: number | undefined;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly textsOf: (row: Row) => readonly (string | undefined)[];
  readonly canOpen?: boolean;
  /** In place of the list when there is nothing at all. */
  readonly empty: ReactNode;
}

/** A list with its filter, its count and its rows; what it is narrowed to stands in the address. */
export function SearchedList<Row extends object>(props: SearchedListProps<Row>) {
  const { label, rows, total = rows.length, columns, rowKey, textsOf, search, onSearch, canOpen = true, empty } = props;
  const { q, sort } = search;
  const shown = useMemo(() => selectRows(rows, q, textsOf), [rows, q, textsOf]);
  const sorting = useMemo(() => parseSorting(sort ?? columns[0]?.id ?? "name"), [sort, columns]);
  if (rows.length === 0) return empty;
  return (
    <>
      <FilterBar
        label={`Filter ${label.toLowerCase()}`}
        text={q}
        onText={(next) => onSearch({ q: next })}
        count={`${shown.length} of ${total}${rows.length < total ? ` · only the first ${rows.length} are searched` : ""}`}
      />
      <DataTable
        label={label}
        rows={shown}
        columns={columns}
        rowKey={rowKey}
        sorting={sorting}
        onSort={(next) => onSearch({ sort: sortingText(next) })}
        {...(canOpen && { onOpen: (row: Row) => onSearch({ open: rowKey(row) }) })}
        empty={<EmptyState title="Nothing is like that" sentence="Take something out of the filter." />}
        isFilling
      />
    </>
  );
}
