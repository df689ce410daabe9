import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { ownPath } from "../../data/search-params.ts";
import { meQuery } from "../../session/me.ts";

/** Gives what to do once somebody is signed in: forget what nobody saw, and go where they wanted to. */
export function useEntered(): (to?: string) => void {
  const queries = useQueryClient();
  const router = useRouter();
  return (to) => {
    queries.clear();
    void queries.prefetchQuery(meQuery).then(() => router.navigate({ href: ownPath(to), replace: true }));
  };
}
