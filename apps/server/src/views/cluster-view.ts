import { clusterPhase, labels, type TenantCluster } from "@butler/api";
import type { ListShape } from "../http/listing.ts";
import { remembered } from "../http/remembered.ts";
import { byObject, searchText } from "./object-view.ts";

/** The running Kubernetes version of a cluster, or else the desired one. */
export function versionOf({ spec, status }: TenantCluster): string {
  return status?.observedState?.kubernetesVersion ?? spec.kubernetesVersion ?? "";
}

/** A cluster with everything that lists order, filter and search it by, worked out once. */
export interface ListedCluster {
  readonly cluster: TenantCluster;
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly created: string;
  readonly team: string;
  readonly environment: string;
  readonly phase: string;
  readonly provider: string;
  readonly version: string;
  /** The searchable text, in lower case. */
  readonly text: string;
}

/** A cluster as returned by lists. All entries have the same shape, which makes scanning thousands of them fast. */
export const listedCluster = remembered((cluster: TenantCluster): ListedCluster => {
  const { metadata, spec, status } = cluster;
  const values = {
    team: spec.teamRef?.name ?? "",
    environment: metadata.labels?.[labels.environment] ?? "",
    phase: clusterPhase(cluster),
    provider: spec.providerConfigRef?.name ?? "",
    version: versionOf(cluster),
  };
  return {
    cluster,
    id: byObject.id(cluster),
    name: byObject.name(cluster),
    namespace: metadata.namespace ?? "",
    created: byObject.created(cluster),
    ...values,
    text: searchText(cluster, ...Object.values(values), status?.controlPlaneEndpoint).toLowerCase(),
  };
});

/** How lists of clusters are ordered and searched. */
export const clusterList: ListShape<ListedCluster> = {
  id: ({ id }) => id,
  sortBy: {
    name: ({ name }) => name,
    created: ({ created }) => created,
    team: ({ team }) => team,
    phase: ({ phase }) => phase,
    version: ({ version }) => version,
  },
  text: ({ text }) => text,
};
