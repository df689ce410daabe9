import type { Route } from "@butler/contract";
import { Page } from "@butler/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useActions } from "../../../app/actions.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { ActionButton, useMay } from "./action-button.tsx";
import { SearchedList, type SearchedListProps } from "./searched-list.tsx";

/** How something is added to a list. */
interface Adding {
  /** What the button says. */
  readonly label: string;
  readonly route: Pick<Route, "permission">;
  /** Name of the action in the palette; it is not offered there when absent. */
  readonly action?: string;
  readonly dialog: (onClose: () => void) => ReactNode;
}

/** A page that is a list of all that the platform has of a kind. */
export interface ListPageProps<Answer, Row> extends Omit<SearchedListProps<Row>, "label" | "rows" | "total"> {
  readonly title: string;
  /** What the rows are called, where the title does not say it. */
  readonly label?: string;
  readonly query: UseQueryResult<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly add?: Adding;
  /** What is beside the list while a row is open. */
  readonly drawer?: (row: Row, onClose: () => void) => ReactNode;
}

/** The list with its title, the button that adds to it, and what is open beside it. */
export function ListPage<Answer extends { readonly total: number }, Row extends object>(
  props: ListPageProps<Answer, Row>,
) {
  const { title, label = title, query, rowsOf, add, drawer, ...list } = props;
  const [isAdding, setAdding] = useState(false);
  const may = useMay(add?.route);
  const { action, label: verb = "" } = add ?? {};
  useActions(
    useMemo(
      () => (may && action !== undefined ? [{ id: action, label: verb, perform: () => setAdding(true) }] : []),
      [may, action, verb],
    ),
  );
  const button = add && (
    <ActionButton route={add.route} kind="primary" onClick={() => setAdding(true)}>
      {add.label}
    </ActionButton>
  );
  return (
    <Page title={title} isFilling actions={button}>
      <QueryView query={query}>
        {(answer) => {
          const rows = rowsOf(answer);
          const opened = rows.find((row) => list.rowKey(row) === list.search.open);
          return (
            <>
              <SearchedList label={label} rows={rows} total={answer.total} {...list} />
              {opened !== undefined && drawer?.(opened, () => list.onSearch({ open: undefined }))}
            </>
          );
        }}
      </QueryView>
      {isAdding && add?.dialog(() => setAdding(false))}
    </Page>
  );
}
