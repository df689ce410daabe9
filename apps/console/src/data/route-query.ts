import type { CallInput, Route, RouteAnswer } from "@butler/contract";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "./client.ts";

/** Query options of a GET route. Nothing else in the console fetches. */
export function routeQuery<R extends Route>(route: R, input: CallInput<R>) {
  return queryOptions({
    queryKey: [route.id, input] as const,
    // Ignores the abort signal: an unmounting component would cancel the request for a page that still loads.
    queryFn: (): Promise<RouteAnswer<R>> => client.call(route, input),
  });
}

/** Options of a mutation. */
export interface RouteMutationOptions<R extends Route> {
  /** Routes whose queries are invalidated afterwards. */
  readonly refreshes?: readonly Route[];
  readonly onSuccess?: (answer: RouteAnswer<R>) => void;
  readonly onError?: (error: Error) => void;
}

/** A mutation: `const scale = useRouteMutation(scaleCluster, {...}); scale.mutate({ params, body })`. */
export function useRouteMutation<R extends Route>(route: R, options: RouteMutationOptions<R> = {}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<R>): Promise<RouteAnswer<R>> => client.call(route, input),
    onSuccess: async (answer) => {
      await Promise.all((options.refreshes ?? []).map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
      options.onSuccess?.(answer);
    },
    onError: (error) => options.onError?.(error),
  });
}
