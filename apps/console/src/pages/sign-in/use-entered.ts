import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { ownPath } from "../../data/search-params.ts";
import { meQuery } from "../../session/me.ts";

/** Returns a function to call after sign-in: clears the signed-out cache and opens the requested page. */
export function useEntered(): (to?: string) => void {
  const queries = useQueryClient();
  const router = useRouter();
  return (to) => {
    queries.clear();
    void queries.prefetchQuery(meQuery).then(() => router.navigate({ href: ownPath(to), replace: true }));
  };
}
