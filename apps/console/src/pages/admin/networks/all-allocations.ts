import { listAllocations, readAllPages } from "@butler/contract";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../../data/client.ts";
import type { AllocationView } from "./pool-view.ts";

/** Fetches all pages of the allocations of a pool: a partial map would be wrong. */
export function allAllocationsQuery(params: { readonly namespace: string; readonly name: string }) {
  return queryOptions({
    queryKey: [listAllocations.id, "all", params] as const,
    queryFn: ({ signal }) =>
      readAllPages(
        (query) => client.call(listAllocations, { params, query }, { signal }),
        (page) => page.allocations as AllocationView[],
      ),
  });
}
