import { getRouteApi } from "@tanstack/react-router";
import { useLiveList } from "../../data/live.tsx";
import type { ClusterView } from "../../parts/cluster-facts.ts";

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name");

/** A cluster as it is now: first as the server answered, then as the live channel says. */
export interface LiveCluster {
  readonly cluster: ClusterView;
  readonly isStale: boolean;
  /** Whether it is gone from the live channel, after it was there. */
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
