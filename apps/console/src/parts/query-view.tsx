import { LoadingState } from "@butler/ui";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemView } from "./problem-view.tsx";

/** What to show of a question to the server. */
export interface QueryViewProps<Answer> {
  readonly query: UseQueryResult<Answer>;
  readonly children: (answer: Answer) => ReactNode;
}

/** The answer when there is one, and until then or instead of it what every page shows. Old answers stay in sight. */
export function QueryView<Answer>({ query, children }: QueryViewProps<Answer>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ProblemView error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingState />;
}
