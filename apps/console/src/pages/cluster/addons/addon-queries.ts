import { getAddon } from "@butler/contract";
import { routeQuery } from "../../../data/route-query.ts";
import type { ClusterKey } from "../queries.ts";

/** Asks for one add-on with its values, which the live channel leaves out. */
export const addonQuery = ({ namespace, name }: ClusterKey, addon: string) =>
  routeQuery(getAddon, { params: { namespace, name, addon } });
