import { listCatalogue } from "@butler/contract";
import { routeQuery } from "../data/route-query.ts";

/** Fetches the whole catalogue. */
export const catalogueQuery = routeQuery(listCatalogue, { query: { limit: 500 } });
