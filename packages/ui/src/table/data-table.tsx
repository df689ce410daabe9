import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { nextActiveRow } from "./active-row.ts";
import type { Column, Sorting } from "./column.ts";
import { useNarrow } from "../use-narrow.ts";
import { TableHead } from "./table-head.tsx";
import { useSortedTable } from "./use-sorted-table.ts";

/** What a table shows, and what happens when somebody uses it. */
export interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly sorting?: Sorting | undefined;
  readonly onSort?: (sorting: Sorting) => void;
  /** Opens a row: Enter, or a click beside its links. */
  readonly onOpen?: (row: Row) => void;
  /** What stands in place of rows when there are none. */
  readonly empty?: ReactNode;
  /** Whether the table takes the height that is left, and scrolls by itself. */
  readonly isFilling?: boolean;
  readonly density?: "compact" | "comfortable";
}

const rowHeights = { compact: 36, comfortable: 44 } as const;
const narrowHeight = 48;

/**
 * A table that holds thousands of rows, of which only those in sight are in the page. Arrow keys, j and k move, Enter
 * opens.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    label,
    rows,
    columns,
    rowKey,
    sorting,
    onSort,
    onOpen,
    empty,
    isFilling = false,
    density = "compact",
  } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(-1);
  const table = useSortedTable({ rows, columns, rowKey, sorting });
  const shown = table.getRowModel().rows;
  const height = useNarrow() ? narrowHeight : rowHeights[density];
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    initialRect: { width: 1_024, height: 640 },
  });
  useEffect(() => virtual.measure(), [virtual, height]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2);
    const next = isTyping(event.target) ? undefined : nextActiveRow(event.key, active, { count: shown.length, page });
    const opened = shown[active]?.original;
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
      virtual.scrollToIndex(next);
    } else if (event.key === "Enter" && event.target === scroller.current && opened !== undefined) onOpen?.(opened);
  };
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <div
      ref={scroller}
      className="b-table"
      data-fill={isFilling}
      data-density={density}
      role="grid"
      aria-label={label}
      aria-rowcount={shown.length + 1}
      aria-activedescendant={active >= 0 && active < shown.length ? `${id}-${active}` : undefined}
      tabIndex={0}
      style={tracksOf(columns)}
      onKeyDown={onKeyDown}
    >
      <TableHead columns={columns} sorting={sorting} onSort={onSort} />
      <div className="b-table-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = shown[index];
          if (row === undefined) return undefined;
          return (
            <div
              key={row.id}
              id={`${id}-${index}`}
              className="b-row"
              role="row"
              aria-rowindex={index + 2}
              data-active={index === active}
              data-opens={onOpen !== undefined}
              style={{ transform: `translateY(${start}px)` }}
              onClick={(event) => !isControl(event.target) && onOpen?.(row.original)}
            >
              {columns.map(({ id: column, cell, align, isNarrow }) => (
                <div
                  key={column}
                  className="b-cell"
                  role="gridcell"
                  data-align={align}
                  data-narrow={isNarrow === true ? undefined : "hidden"}
                >
                  {cell(row.original)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function tracksOf(columns: readonly Column<never>[]): CSSProperties {
  const widths = (some: readonly Column<never>[]): string =>
    some.map(({ width = "minmax(80px, 1fr)" }) => width).join(" ");
  const narrow = columns.filter(({ isNarrow }) => isNarrow);
  return { "--columns": widths(columns), "--columns-narrow": widths(narrow) } as CSSProperties;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, select") !== null;
}
