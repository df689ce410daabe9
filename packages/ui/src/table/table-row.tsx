import { memo, type ReactNode } from "react";
import type { Column } from "./column.ts";

/** A row and its position. */
export interface TableRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly onOpen: ((row: Row) => void) | undefined;
}

function PlainRow<Row>({ id, row, columns, index, top, isActive, onOpen }: TableRowProps<Row>): ReactNode {
  return (
    <div
      id={id}
      className="b-row"
      role="row"
      aria-rowindex={index + 2}
      data-active={isActive || undefined}
      style={{ top }}
      onClick={(event) => !isControl(event.target) && onOpen?.(row)}
    >
      {columns.map(({ id: column, sortBy, cell = sortBy, align, isButton, isNarrow }) => (
        <div
          key={column}
          className="b-cell"
          role="gridcell"
          data-align={align}
          data-button={isButton}
          data-narrow={isNarrow === true ? undefined : "hidden"}
        >
          {cell?.(row)}
        </div>
      ))}
    </div>
  );
}

/** A memoized table row: while scrolling, most rows do not re-render. */
export const TableRow = memo(PlainRow) as typeof PlainRow;

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, select") !== null;
}
