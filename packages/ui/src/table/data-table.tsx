import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
  type RefObject,
  useLayoutEffect,
} from "react";
import { useNarrow } from "../use-narrow.ts";
import { nextActiveRow } from "./active-row.ts";
import type { Column, Sorting } from "./column.ts";
import { rowWindow, scrollTopFor } from "./row-window.ts";
import { sortRows } from "./sort-rows.ts";
import { TableHead } from "./table-head.tsx";
import { TableRow } from "./table-row.tsx";
import { useSight } from "./use-sight.ts";

/** Props of a data table. */
export interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly sorting?: Sorting | undefined;
  readonly onSort?: (sorting: Sorting) => void;
  /** Opens a row on Enter or on a click outside its links. */
  readonly onOpen?: (row: Row) => void;
  /** Shown when there are no rows. */
  readonly empty?: ReactNode;
  /** Whether the table fills the remaining height and scrolls internally. */
  readonly isFilling?: boolean;
  readonly density?: "compact" | "comfortable";
}

const rowHeights = { compact: 36, comfortable: 44 } as const;
const narrowHeight = 48;

/** A virtualized table for thousands of rows. Arrow keys, j and k move, Enter opens. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, empty } = props;
  return rows.length === 0 && empty !== undefined ? empty : <Grid {...props} />;
}

function Grid<Row extends object>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, sorting, onSort, isFilling = false, density = "compact" } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(-1);
  const shown = useMemo(() => sortRows(rows, columns, sorting), [rows, columns, sorting]);
  const height = useNarrow() ? narrowHeight : rowHeights[density];
  const { first, end } = rowWindow(useSight(scroller, height), height, shown.length);
  const onOpen = useLatest(props.onOpen);
  const open = useCallback((row: Row) => onOpen.current?.(row), [onOpen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const element = scroller.current;
    if (element === null) return;
    // The header is sticky; rows beneath it do not count as visible.
    const seen = element.clientHeight - (element.firstElementChild?.clientHeight ?? 0);
    const page = Math.max(1, Math.floor(seen / height) - 1);
    const next = isTyping(event.target) ? undefined : nextActiveRow(event.key, active, { count: shown.length, page });
    const opened = shown[active];
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
      element.scrollTop = scrollTopFor(next, { top: element.scrollTop, height: seen }, height);
    } else if (event.key === "Enter" && event.target === element && opened !== undefined) open(opened);
  };
  return (
    <div
      ref={scroller}
      className="b-table"
      data-fill={isFilling}
      data-density={density}
      data-opens={props.onOpen !== undefined}
      role="grid"
      aria-label={label}
      aria-rowcount={shown.length + 1}
      aria-activedescendant={active >= 0 && active < shown.length ? `${id}-${active}` : undefined}
      tabIndex={0}
      style={tracksOf(columns)}
      onKeyDown={onKeyDown}
    >
      <TableHead columns={columns} sorting={sorting} onSort={onSort} />
      <div className="b-table-body" role="rowgroup" style={{ height: shown.length * height }}>
        {shown.slice(first, end).map((row, at) => (
          <TableRow
            key={rowKey(row)}
            id={`${id}-${first + at}`}
            row={row}
            columns={columns}
            index={first + at}
            top={(first + at) * height}
            isActive={first + at === active}
            onOpen={props.onOpen === undefined ? undefined : open}
          />
        ))}
      </div>
    </div>
  );
}

function tracksOf(columns: readonly Column<never>[]): CSSProperties {
  const narrow = columns.filter(({ isNarrow }) => isNarrow);
  return {
    "--columns": columns.map(widthOf).join(" "),
    "--columns-narrow": narrow.map(widthOf).join(" "),
    "--least": leastWidth(columns),
    "--least-narrow": leastWidth(narrow),
  } as CSSProperties;
}

function widthOf({ width = "minmax(80px, 1fr)" }: Column<never>): string {
  return width;
}

/** Minimum width of the columns including row padding; narrower tables scroll horizontally. */
function leastWidth(columns: readonly Column<never>[]): string {
  const widths = columns.map((column) => Number(/\d+/.exec(widthOf(column))?.[0] ?? 0));
  return `${widths.reduce((sum, width) => sum + width, 16)}px`;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

/** The latest value of a prop, for callbacks that are stable across renders. */
function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const held = useRef(value);
  useLayoutEffect(() => {
    held.current = value;
  });
  return held;
}
