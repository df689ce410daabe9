import { type Column, DataTable, EmptyState, Notice, Page, parseSorting, sortingText, StatusBadge } from "@butler/ui";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useLiveList } from "../../../data/live.tsx";
import { type ClusterView, teamOf, versionOf } from "../../../parts/cluster-facts.ts";
import { FilterBar } from "../../../parts/filter-bar.tsx";
import { LiveView } from "../../../parts/live-view.tsx";
import { selectRows } from "../shared/list-search.ts";
import { controlPlaneState, datastoreOf } from "./control-plane-state.ts";

const route = getRouteApi("/signed-in/admin/control-planes");

const columns: readonly Column<ClusterView>[] = [
  {
    id: "cluster",
    header: "Cluster",
    width: "minmax(150px, 1.6fr)",
    isNarrow: true,
    sortBy: ({ metadata }) => metadata.name,
    cell: (cluster) => {
      const { name, namespace = "" } = cluster.metadata;
      return (
        <Link
          to="/t/$team/clusters/$namespace/$name"
          params={{ team: teamOf(cluster), namespace, name }}
          className="b-mono"
          title={name}
        >
          {name}
        </Link>
      );
    },
  },
  { id: "team", header: "Team", sortBy: teamOf, cell: teamOf },
  {
    id: "state",
    header: "Control plane",
    width: "150px",
    isNarrow: true,
    sortBy: (cluster) => controlPlaneState(cluster).word,
    cell: (cluster) => {
      const { tone, word, why } = controlPlaneState(cluster);
      return (
        <span title={why}>
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </span>
      );
    },
  },
  { id: "version", header: "Version", width: "92px", sortBy: versionOf, cell: (cluster) => versionOf(cluster) },
  { id: "replicas", header: "Replicas", width: "76px", align: "end", sortBy: ({ spec }) => spec.controlPlane.replicas },
  {
    id: "datastore",
    header: "Datastore",
    sortBy: datastoreOf,
    cell: (cluster) => <span className="b-mono">{datastoreOf(cluster)}</span>,
  },
  {
    id: "endpoint",
    header: "Endpoint",
    width: "minmax(160px, 1.6fr)",
    sortBy: ({ status }) => status?.controlPlaneEndpoint ?? "",
    cell: ({ status }) => <span className="b-mono">{status?.controlPlaneEndpoint}</span>,
  },
  {
    id: "namespace",
    header: "Namespace",
    sortBy: ({ status }) => status?.tenantNamespace ?? "",
    width: "minmax(130px, 1.2fr)",
    cell: ({ status }) => (
      <span className="b-mono" title={status?.tenantNamespace}>
        {status?.tenantNamespace}
      </span>
    ),
  },
];

const textsOf = (cluster: ClusterView) => [
  cluster.metadata.name,
  teamOf(cluster),
  versionOf(cluster),
  controlPlaneState(cluster).word,
  cluster.status?.controlPlaneEndpoint,
  datastoreOf(cluster),
];

/** The hosted control planes of all clusters, live, from the status of the clusters. */
export function ControlPlanesPage() {
  const { q, sort = "cluster" } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useLiveList<ClusterView>("clusters", {});
  const sorting = useMemo(() => parseSorting(sort), [sort]);
  const onSearch = (change: { readonly q?: string | undefined; readonly sort?: string }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Page title="Control planes" isFilling>
      <Notice tone="unknown">
        <span>
          The API does not report datastore health yet. Use <code>kubectl get datastores</code>.
        </span>
      </Notice>
      <LiveView list={list}>
        {(clusters) => (
          <>
            <FilterBar
              label="Filter control planes"
              text={q}
              onText={(next) => onSearch({ q: next })}
              count={`${selectRows(clusters, q, textsOf).length} of ${clusters.length}`}
            />
            <DataTable
              label="Control planes"
              rows={selectRows(clusters, q, textsOf)}
              columns={columns}
              rowKey={({ metadata }) => `${metadata.namespace}/${metadata.name}`}
              sorting={sorting}
              onSort={(next) => onSearch({ sort: sortingText(next) })}
              empty={
                <EmptyState
                  title="No control planes"
                  sentence="The platform hosts one control plane for each cluster."
                />
              }
              isFilling
            />
          </>
        )}
      </LiveView>
    </Page>
  );
}
