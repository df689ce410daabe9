import { type TenantCluster, labels } from "@butler/api";
import { isBeingDeleted } from "@butler/resource";
import type { ListShape } from "../http/listing.ts";
import { remembered } from "../http/remembered.ts";
import { byObject, searchText } from "./object-view.ts";

/** The Kubernetes version that a cluster has, or is asked to have while it has none. */
export function versionOf({ spec, status }: TenantCluster): string {
  return status?.observedState?.kubernetesVersion ?? spec.kubernetesVersion ?? "";
}

/** Where a cluster is in its life. */
export function phaseOf(cluster: TenantCluster): string {
  return isBeingDeleted(cluster) ? "Deleting" : (cluster.status?.phase ?? "Pending");
}

/** How lists of clusters are ordered and searched. */
export const clusterList: ListShape<TenantCluster> = {
  id: byObject.id,
  sortBy: {
    name: byObject.name,
    created: byObject.created,
    team: ({ spec }) => spec.teamRef?.name ?? "",
    phase: phaseOf,
    version: versionOf,
  },
  text: remembered((cluster: TenantCluster) =>
    searchText(
      cluster,
      cluster.spec.teamRef?.name,
      cluster.metadata.labels?.[labels.environment],
      phaseOf(cluster),
      versionOf(cluster),
      cluster.spec.providerConfigRef?.name,
      cluster.status?.controlPlaneEndpoint,
    ).toLowerCase(),
  ),
};
