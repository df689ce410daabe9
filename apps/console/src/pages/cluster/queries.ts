import { getCluster, whyCluster } from "@butler/contract";
import { routeQuery } from "../../data/route-query.ts";

/** Which cluster a page is about. */
export interface ClusterKey {
  readonly namespace: string;
  readonly name: string;
}

/** Asks for a cluster. */
export const clusterQuery = ({ namespace, name }: ClusterKey) =>
  routeQuery(getCluster, { params: { namespace, name } });

/** Asks why a cluster is as it is. */
export const whyQuery = ({ namespace, name }: ClusterKey) => routeQuery(whyCluster, { params: { namespace, name } });
