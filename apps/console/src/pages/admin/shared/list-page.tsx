import type { Route } from "@butler/contract";
import { Page } from "@butler/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useActions } from "../../../app/actions.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { ActionButton, useMay } from "./action-button.tsx";
import { SearchedList, type SearchedListProps } from "./searched-list.tsx";

/** How to add an object to the list. */
interface Adding {
  /** Label of the button. */
  readonly label: string;
  readonly route: Pick<Route, "permission">;
  /** ID of the palette action; not in the palette if undefined. */
  readonly action?: string;
  readonly dialog: (onClose: () => void) => ReactNode;
}

/** Props of a page that lists all objects of a kind. */
export interface ListPageProps<Answer, Row> extends Omit<SearchedListProps<Row>, "label" | "rows" | "total"> {
  readonly title: string;
  /** Label of the rows, if different from the title. */
  readonly label?: string;
  readonly query: UseQueryResult<Answer>;
  readonly rowsOf: (answer: Answer) => readonly Row[];
  readonly add?: Adding;
  /** Drawer for the open row. */
  readonly drawer?: (row: Row, onClose: () => void) => ReactNode;
}

/** The list with its title, add button and drawer. */
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
