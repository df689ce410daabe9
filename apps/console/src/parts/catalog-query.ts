import { listCatalog } from "@butler/contract";
import { routeQuery } from "../data/route-query.ts";

/** Fetches the whole catalog. */
export const catalogQuery = routeQuery(listCatalog, { query: { limit: 500 } });
