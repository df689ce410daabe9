import { clusterPhase, labels, type TenantCluster } from "@butler/api";
import type { ListShape } from "../http/listing.ts";
import { remembered } from "../http/remembered.ts";
import { byObject, searchText } from "./object-view.ts";

/** The Kubernetes version that a cluster has, or is asked to have while it has none. */
export function versionOf({ spec, status }: TenantCluster): string {
  return status?.observedState?.kubernetesVersion ?? spec.kubernetesVersion ?? "";
}

/** How lists of clusters are ordered and searched. */
export const clusterList: ListShape<TenantCluster> = {
  id: byObject.id,
  sortBy: {
    name: byObject.name,
    created: byObject.created,
    team: ({ spec }) => spec.teamRef?.name ?? "",
    phase: clusterPhase,
    version: versionOf,
  },
  text: remembered((cluster: TenantCluster) =>
    searchText(
      cluster,
      cluster.spec.teamRef?.name,
      cluster.metadata.labels?.[labels.environment],
      clusterPhase(cluster),
      versionOf(cluster),
      cluster.spec.providerConfigRef?.name,
      cluster.status?.controlPlaneEndpoint,
    ).toLowerCase(),
  ),
};
