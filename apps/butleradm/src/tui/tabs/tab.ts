import { printable } from "@butler/std";
import type { Diagnosis } from "@butler/diagnosis";
import type { Offer } from "../model/offer.ts";
import type { SourceName } from "../shown-kinds.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Line, Look } from "../view/line.ts";

/** The names of the tabs, in their order. */
export const tabIds = [
  "overview",
  "clusters",
  "controlPlanes",
  "teams",
  "networks",
  "addons",
  "events",
  "audit",
  "health",
] as const;

export type TabId = (typeof tabIds)[number];

/** One column of a list. */
export interface TabColumn<T> {
  readonly title: string;
  readonly value: (item: T, now: Date) => string;
  readonly look?: (item: T) => Look | undefined;
  /** Sort key of rows; the value when absent. */
  readonly sortBy?: (item: T) => string | number;
  readonly align?: "right";
  /** Columns with a higher number are dropped first when space is short; those without are kept. */
  readonly drop?: number;
  /** Maximum width, unless it fills the remaining width. */
  readonly widest?: number;
  /** Fills the remaining width. */
  readonly isFilling?: boolean;
  /** Also shown below the list for the selected row, where there is more space. */
  readonly isNote?: boolean;
}

/** A section of the details of an object. */
export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Input of the details. */
export interface DetailsContext {
  readonly snapshot: Snapshot;
  readonly now: Date;
  readonly width: number;
  /** Diagnosis of the object; undefined until it is known. */
  readonly explanation: Explanation | undefined;
}

/** Result of a diagnosis. */
export type Explanation =
  { readonly state: "found"; readonly finding: Diagnosis } | { readonly state: "failed"; readonly why: string };

/** The tab and key of an object. */
export interface Place {
  readonly tab: TabId;
  readonly key: string;
}

/** Definition of a tab. */
export interface TabSpec<T> {
  readonly id: TabId;
  readonly title: string;
  readonly sources: readonly SourceName[];
  readonly items: (snapshot: Snapshot) => readonly T[];
  readonly keyOf: (item: T) => string;
  readonly columns: readonly TabColumn<T>[];
  /** Index of the initial sort column; rows keep their order when it is -1. */
  readonly sort: { readonly column: number; readonly isDescending: boolean };
  /** Empty state: a sentence, and what to do. */
  readonly empty: { readonly sentence: string; readonly hint: string };
  /** Lines above the list. */
  readonly summary?: (snapshot: Snapshot, width: number) => readonly Line[];
  readonly details?: (item: T, context: DetailsContext) => readonly Section[];
  /** Actions on an item. */
  readonly offers?: (item: T) => readonly Offer[];
  /** Where opening an item leads; its own details when absent. */
  readonly leadsTo?: (item: T) => Place | undefined;
}

/** An item of any tab. */
export interface Row {
  readonly key: string;
  readonly value: (column: number, now: Date) => string;
  readonly look: (column: number) => Look | undefined;
  readonly sortValue: (column: number) => string | number;
  /** All its texts, for the filter. */
  readonly text: string;
  readonly details: (context: DetailsContext) => readonly Section[];
  readonly offers: () => readonly Offer[];
  readonly leadsTo: Place | undefined;
}

/** A tab with items of any type. */
export interface Tab extends Omit<TabSpec<unknown>, "items" | "keyOf" | "columns" | "details" | "offers" | "leadsTo"> {
  readonly columns: readonly TabColumn<never>[];
  /** The same snapshot always returns the same rows. */
  readonly rows: (snapshot: Snapshot) => readonly Row[];
}

/** Creates a tab from its definition. */
export function defineTab<T>(spec: TabSpec<T>): Tab {
  const known = new WeakMap<Snapshot, readonly Row[]>();
  const rows = (snapshot: Snapshot): readonly Row[] => {
    const found = known.get(snapshot) ?? spec.items(snapshot).map((item) => rowOf(spec, item));
    known.set(snapshot, found);
    return found;
  };
  const { id, title, sources, columns, sort, empty, summary } = spec;
  return { id, title, sources, columns, sort, empty, rows, ...(summary === undefined ? {} : { summary }) };
}

/** A fixed time for filtering and sorting, so that ages do not matter. */
const anyMoment = new Date(0);

function rowOf<T>(spec: TabSpec<T>, item: T): Row {
  const { columns } = spec;
  const value = (column: number, now: Date): string => printable(columns[column]?.value(item, now) ?? "");
  let text: string | undefined;
  return {
    key: spec.keyOf(item),
    value,
    look: (column) => columns[column]?.look?.(item),
    sortValue: (column) => columns[column]?.sortBy?.(item) ?? value(column, anyMoment).toLowerCase(),
    get text() {
      text ??= columns
        .map((_column, at) => value(at, anyMoment))
        .join("\n")
        .toLowerCase();
      return text;
    },
    details: (context) => spec.details?.(item, context) ?? [],
    offers: () => spec.offers?.(item) ?? [],
    leadsTo: spec.leadsTo?.(item),
  };
}
