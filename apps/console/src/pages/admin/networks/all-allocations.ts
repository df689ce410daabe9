import { listAllocations } from "@butler/contract";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../../data/client.ts";
import type { AllocationView } from "./pool-view.ts";

/** Asks for every allocation of a pool, page after page: a map with holes in it would lie. */
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
