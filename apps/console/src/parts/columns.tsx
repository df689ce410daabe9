import { type Column, Moment, StatusBadge, type Tone } from "@butler/ui";
import type { ReactNode } from "react";

/** What differs between columns that show the same sort of value. */
type Head<Row> = Pick<Column<Row>, "id" | "header" | "width" | "isNarrow">;

/** The name of a row, in a fixed-width font unless the cell says otherwise. */
export function nameColumn<Row>(
  width: string,
  nameOf: (row: Row) => string,
  cell = (row: Row): ReactNode => <span className="b-mono">{nameOf(row)}</span>,
): Column<Row> {
  return { id: "name", header: "Name", width, isNarrow: true, sortBy: nameOf, cell };
}

/** The state of a row as a sign and a word. */
export function stateColumn<Row>(
  width: string,
  stateOf: (row: Row) => { readonly tone: Tone; readonly word: string },
): Column<Row> {
  return {
    id: "state",
    header: "State",
    width,
    isNarrow: true,
    sortBy: (row) => stateOf(row).word,
    cell: (row) => <StatusBadge tone={stateOf(row).tone}>{stateOf(row).word}</StatusBadge>,
  };
}

/** A number. A missing one is shown as a dash, and sorts below zero. */
export function numberColumn<Row>(head: Head<Row>, numberOf: (row: Row) => number | undefined): Column<Row> {
  return { ...head, align: "end", sortBy: (row) => numberOf(row) ?? -1, cell: (row) => numberOf(row) ?? "–" };
}

/** A time, relative to now. */
export function momentColumn<Row>(head: Head<Row>, momentOf: (row: Row) => string | undefined): Column<Row> {
  return { ...head, align: "end", cell: (row) => <Moment at={momentOf(row)} /> };
}

/** A time by which rows can be sorted: the latest first, and rows without one last. */
export function recencyColumn<Row>(head: Head<Row>, momentOf: (row: Row) => string | undefined): Column<Row> {
  return { ...momentColumn(head, momentOf), sortBy: (row) => -Date.parse(momentOf(row) || "1970-01-01") };
}

/** The name for display, with the name of the object as a tooltip. */
export function displayNameColumn<Row extends { readonly name: string; readonly displayName: string }>(
  width: string,
): Column<Row> {
  return nameColumn(
    width,
    ({ displayName }) => displayName.toLowerCase(),
    ({ displayName, name }) => <span title={name}>{displayName}</span>,
  );
}

/** A sentence that users wrote or a component reported; cut off if it is too long, and complete in the tooltip. */
export function sentenceColumn<Row>(head: Head<Row>, sentenceOf: (row: Row) => string | undefined): Column<Row> {
  return {
    ...head,
    cell: (row) => (
      <span dir="auto" title={sentenceOf(row)}>
        {sentenceOf(row)}
      </span>
    ),
  };
}
