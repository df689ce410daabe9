import { getRouteApi } from "@tanstack/react-router";
import { useLiveList } from "../../data/live.tsx";
import type { ClusterView } from "../../parts/cluster-facts.ts";

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name");

/** The current state of a cluster: first from the API, then from the live channel. */
export interface LiveCluster {
  readonly cluster: ClusterView;
  readonly isStale: boolean;
  /** Whether it was deleted, according to the live channel. */
  readonly isGone: boolean;
}

/** The cluster of the page. */
export function useCluster(): LiveCluster {
  const { namespace, name } = route.useParams();
  const loaded = route.useLoaderData() as ClusterView;
  const { items, isStale } = useLiveList<ClusterView>("clusters", { namespace, cluster: name });
  const [live] = items ?? [];
  return { cluster: live ?? loaded, isStale, isGone: items !== undefined && live === undefined };
}
