import { ErrorState, ForbiddenState, LoadingState, StaleNotice } from "@butler/ui";
import type { ReactNode } from "react";
import type { LiveListView } from "../data/live.tsx";

/** Props of a live list view. */
export interface LiveViewProps<Item> {
  readonly list: LiveListView<Item>;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** The list once loaded, with a notice if it may be out of date. */
export function LiveView<Item>({ list, children }: LiveViewProps<Item>) {
  const { items, error, isStale } = list;
  if (error?.code === "FORBIDDEN") return <ForbiddenState sentence={error.message} />;
  if (error !== undefined && items === undefined) {
    return <ErrorState title="Live data unavailable" detail={error.message} code={error.code} />;
  }
  return (
    <>
      {isStale && <StaleNotice />}
      {items === undefined ? <LoadingState /> : children(items)}
    </>
  );
}
