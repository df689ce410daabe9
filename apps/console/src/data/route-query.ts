import type { CallInput, Route, RouteAnswer } from "@butler/contract";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "./client.ts";

/** How a GET route is asked and remembered. Nothing else in the console fetches. */
export function routeQuery<R extends Route>(route: R, input: CallInput<R>) {
  return queryOptions({
    queryKey: [route.id, input] as const,
    // Without the signal that would come with it: a component that goes would end the question for a page that loads.
    queryFn: (): Promise<RouteAnswer<R>> => client.call(route, input),
  });
}

/** What happens around a call that changes something. */
export interface RouteMutationOptions<R extends Route> {
  /** Routes whose answers are asked for anew afterwards. */
  readonly refreshes?: readonly Route[];
  readonly onSuccess?: (answer: RouteAnswer<R>) => void;
  readonly onError?: (error: Error) => void;
}

/** A call that changes something: `const scale = useRouteMutation(scaleCluster, {...}); scale.mutate({ params, body })`. */
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
