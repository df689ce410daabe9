import { ProblemAnswer } from "@butler/contract";
import { QueryClient } from "@tanstack/react-query";

/** Whether to retry a failed query: only transient errors, and at most twice. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (error instanceof ProblemAnswer) return error.isRetryable && failures < 2;
  return failures < 2;
}

/** Creates the query cache. Nothing is polled: live channels report changes. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, gcTime: 300_000, retry: isWorthRetrying, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
}
