import type { IPAllocation, NetworkPool } from "@butler/api";
import type { getNetwork, listAllocations, RouteAnswer } from "@butler/contract";

/** A network pool as the API returns it. */
export type PoolView = Omit<RouteAnswer<typeof getNetwork>, "status"> & Pick<NetworkPool, "status">;

/** An allocation as the API returns it. */
export type AllocationView = Omit<RouteAnswer<typeof listAllocations>["allocations"][number], "status"> &
  Pick<IPAllocation, "status">;
