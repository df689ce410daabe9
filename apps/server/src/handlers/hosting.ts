import type { TenantCluster, TenantControlPlane } from "@butler/api";
import { listControlPlanes, listDataStores } from "@butler/contract";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { showControlPlane, showDataStore } from "../views/hosting-view.ts";
import { passes } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";

const controlPlaneList: ListShape<ReturnType<typeof showControlPlane>> = {
  id: ({ name, namespace }) => `${name}/${namespace}`,
  sortBy: {
    name: ({ name }) => name,
    created: ({ createdAt = "" }) => createdAt,
    phase: ({ phase }) => phase,
    version: ({ version }) => version,
  },
  text: ({ name, namespace, cluster, team, endpoint }) => [name, namespace, cluster, team, endpoint].join(" "),
};

const dataStoreList: ListShape<ReturnType<typeof showDataStore>> = {
  id: ({ name }) => name,
  sortBy: { name: ({ name }) => name, created: ({ createdAt = "" }) => createdAt, driver: ({ driver }) => driver },
  text: ({ name, driver, endpoints }) => [name, driver, ...endpoints].join(" "),
};

/** Handlers for data stores and hosted control planes. */
export function hostingHandlers({ state }: HandlerContext): Handler[] {
  return [
    handle(listControlPlanes, ({ query }) => {
      const clusters = clustersByPlace(state.clusters.list());
      const found = state.controlPlanes
        .list()
        .map((controlPlane) => showControlPlane(controlPlane, clusters.get(placeOf(controlPlane))))
        .filter(
          ({ phase, dataStore, team }) =>
            passes(query.phase, phase) && passes(query.dataStore, dataStore) && passes(query.team, team),
        );
      const { items, ...rest } = pageOf(found, query, controlPlaneList);
      return { controlPlanes: [...items], ...rest };
    }),
    handle(listDataStores, ({ query }) => {
      const found = state.dataStores
        .list()
        .map(showDataStore)
        .filter(({ ready }) => (query.ready ?? ready) === ready);
      const { items, ...rest } = pageOf(found, query, dataStoreList);
      return { dataStores: [...items], ...rest };
    }),
  ];
}

/** The control plane of a cluster has the cluster's name, and lies in the namespace that the cluster has for itself. */
function clustersByPlace(clusters: readonly TenantCluster[]): Map<string, TenantCluster> {
  return new Map(
    clusters.flatMap((cluster) => {
      const inside = cluster.status?.tenantNamespace;
      return inside === undefined ? [] : [[`${inside}/${cluster.metadata.name}`, cluster] as const];
    }),
  );
}

function placeOf({ metadata }: TenantControlPlane): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}
