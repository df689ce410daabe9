import { getCluster, whyCluster } from "@butler/contract";
import { routeQuery } from "../../data/route-query.ts";

/** Namespace and name of a cluster. */
export interface ClusterKey {
  readonly namespace: string;
  readonly name: string;
}

/** Fetches a cluster. */
export const clusterQuery = ({ namespace, name }: ClusterKey) =>
  routeQuery(getCluster, { params: { namespace, name } });

/** Fetches the diagnosis of a cluster. */
export const whyQuery = ({ namespace, name }: ClusterKey) => routeQuery(whyCluster, { params: { namespace, name } });
