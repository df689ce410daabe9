import { listAllocations } from "@butler/contract";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../../data/client.ts";
import type { AllocationView } from "./pool-view.ts";

/** Fetches all pages of the allocations of a pool: a partial map would be wrong. */
export function allAllocationsQuery(params: { readonly namespace: string; readonly name: string }) {
  return queryOptions({
    queryKey: [listAllocations.id, "all", params] as const,
    queryFn: async ({ signal }): Promise<readonly AllocationView[]> => {
      const found: AllocationView[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: 500, ...(cursor !== undefined && { cursor }) };
        const page = await client.call(listAllocations, { params, query }, { signal });
        found.push(...(page.allocations as AllocationView[]));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return found;
    },
  });
}
