import type { Route } from "@butler/contract";
import { useToast } from "@butler/ui";
import { type RouteMutationOptions, useRouteMutation } from "../data/route-query.ts";

/** A route that answers with a sentence for the user. */
type AnnouncingRoute = Route & {
  readonly answer: { readonly _zod: { readonly output: { readonly message: string } } };
};

interface AnnouncedOptions<R extends Route> extends Pick<RouteMutationOptions<R>, "refreshes"> {
  /** Closes what the mutation was started from. */
  readonly onDone: () => void;
}

/** A mutation that shows the message of its answer as a toast. */
export function useAnnouncedMutation<R extends AnnouncingRoute>(
  route: R,
  { onDone, ...options }: AnnouncedOptions<R>,
): ReturnType<typeof useRouteMutation<R>> {
  const toast = useToast();
  return useRouteMutation<R>(route, {
    ...options,
    onSuccess: ({ message }) => {
      toast({ kind: "done", title: message });
      onDone();
    },
  });
}
