import { getAddon } from "@butler/contract";
import { routeQuery } from "../../../data/route-query.ts";
import type { ClusterKey } from "../queries.ts";

/** Fetches an add-on with its values, which the live channel omits. */
export const addonQuery = ({ namespace, name }: ClusterKey, addon: string) =>
  routeQuery(getAddon, { params: { namespace, name, addon } });
