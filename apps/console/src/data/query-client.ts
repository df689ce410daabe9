import { ProblemAnswer } from "@butler/contract";
import { QueryClient } from "@tanstack/react-query";

/** Whether to ask again after a failure: only what may pass by itself, and not for ever. */
export function isWorthRetrying(failures: number, error: Error): boolean {
  if (error instanceof ProblemAnswer) return error.isRetryable && failures < 2;
  return failures < 2;
}

/** Makes the memory of what the server has answered. Nothing is polled: live channels say when something is new. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, gcTime: 300_000, retry: isWorthRetrying, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
}
