import { type Column, DataTable, EmptyState, parseSorting, sortingText } from "@butler/ui";
import { type ReactNode, useMemo } from "react";
import { FilterBar } from "../../../parts/filter-bar.tsx";
import { type SearchProps, selectRows } from "./list-search.ts";

/** Props of a filterable list. */
export interface SearchedListProps<Row> extends SearchProps {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Total on the server, if not all rows were fetched. */
  readonly total?: number | undefined;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly textsOf: (row: Row) => readonly (string | undefined)[];
  readonly canOpen?: boolean;
  /** Shown instead of the list when there are no rows. */
  readonly empty: ReactNode;
}

/** A list with filter, count and rows. The filter is kept in the URL. */
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
        count={`${shown.length} of ${total}${rows.length < total ? ` · searching only the first ${rows.length}` : ""}`}
      />
      <DataTable
        label={label}
        rows={shown}
        columns={columns}
        rowKey={rowKey}
        sorting={sorting}
        onSort={(next) => onSearch({ sort: sortingText(next) })}
        {...(canOpen && { onOpen: (row: Row) => onSearch({ open: rowKey(row) }) })}
        empty={<EmptyState title="No matches" sentence="Clear a filter." />}
        isFilling
      />
    </>
  );
}
