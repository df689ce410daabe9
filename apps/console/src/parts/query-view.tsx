import { LoadingState } from "@butler/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemView } from "./problem-view.tsx";

/** Props of a query view. */
export interface QueryViewProps<Answer> {
  readonly query: UseQueryResult<Answer>;
  readonly children: (answer: Answer) => ReactNode;
}

/** Renders the data of a query, or its loading or error state. Stale data stays visible. */
export function QueryView<Answer>({ query, children }: QueryViewProps<Answer>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ProblemView error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingState />;
}
