import { printable } from "@butler/std";
import type { Finding } from "@butler/why";
import type { Offer } from "../model/offer.ts";
import type { Snapshot, SourceName } from "../snapshot.ts";
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
  /** What rows are sorted by; the value when absent. */
  readonly sortBy?: (item: T) => string | number;
  readonly align?: "right";
  /** Columns with a higher number go first where there is no room; those without stay. */
  readonly drop?: number;
  /** No wider than this, unless it takes the room that is left. */
  readonly widest?: number;
  /** Takes the room that is left over. */
  readonly isFilling?: boolean;
  /** Shown for the chosen row below the list as well, where there is more room. */
  readonly isNote?: boolean;
}

/** A part of the details of an object. */
export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Everything that details are made from. */
export interface DetailsContext {
  readonly snapshot: Snapshot;
  readonly now: Date;
  readonly width: number;
  /** Why the object is as it is; undefined while that is not known. */
  readonly explanation: Explanation | undefined;
}

/** What came of asking why. */
export type Explanation =
  { readonly state: "found"; readonly finding: Finding } | { readonly state: "failed"; readonly why: string };

/** Where an object is shown. */
export interface Place {
  readonly tab: TabId;
  readonly key: string;
}

/** What a tab shows and how. */
export interface TabSpec<T> {
  readonly id: TabId;
  readonly title: string;
  readonly sources: readonly SourceName[];
  readonly items: (snapshot: Snapshot) => readonly T[];
  readonly keyOf: (item: T) => string;
  readonly columns: readonly TabColumn<T>[];
  /** Number of the column that rows are sorted by at first; they stay as they come when it is -1. */
  readonly sort: { readonly column: number; readonly isDescending: boolean };
  /** What is said when there is nothing: a sentence, and what to do. */
  readonly empty: { readonly sentence: string; readonly hint: string };
  /** Lines above the list. */
  readonly summary?: (snapshot: Snapshot, width: number) => readonly Line[];
  readonly details?: (item: T, context: DetailsContext) => readonly Section[];
  /** What can be done with an item. */
  readonly offers?: (item: T) => readonly Offer[];
  /** Where an item leads when it is opened; its own details when absent. */
  readonly leadsTo?: (item: T) => Place | undefined;
}

/** An item of a tab, of whichever kind. */
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

/** A tab whose items are of whichever kind. */
export interface Tab extends Omit<TabSpec<unknown>, "items" | "keyOf" | "columns" | "details" | "offers" | "leadsTo"> {
  readonly columns: readonly TabColumn<never>[];
  /** The same snapshot always gives the same rows. */
  readonly rows: (snapshot: Snapshot) => readonly Row[];
}

/** Makes a tab of what it shows. */
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

/** A moment at which ages are nothing anybody would look for. */
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
