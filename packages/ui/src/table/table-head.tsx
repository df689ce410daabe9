import { type Column, nextSorting, type Sorting } from "./column.ts";

/** Props of the table header. */
export interface TableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: Sorting) => void) | undefined;
}

/** The column headers; sortable ones are buttons. */
export function TableHead<Row>({ columns, sorting, onSort }: TableHeadProps<Row>) {
  return (
    <div className="b-table-head" role="rowgroup">
      <div className="b-row" role="row" aria-rowindex={1}>
        {columns.map((column) => {
          const isSorted = sorting?.column === column.id;
          const direction = isSorted ? (sorting.isDescending ? "descending" : "ascending") : undefined;
          return (
            <div
              key={column.id}
              className="b-cell"
              role="columnheader"
              data-align={column.align}
              data-narrow={column.isNarrow === true ? undefined : "hidden"}
              aria-sort={direction}
            >
              {column.sortBy === undefined || onSort === undefined ? (
                <span className="b-soft">{column.header}</span>
              ) : (
                <button
                  type="button"
                  className="b-sort"
                  data-sorted={isSorted}
                  onClick={() => onSort(nextSorting(sorting, column.id))}
                >
                  {column.header}
                  {isSorted && <span aria-hidden="true">{sorting.isDescending ? "↓" : "↑"}</span>}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
