import { listAllAllocations, type listClusterNodes, type RouteAnswer } from "@butler/contract";
import { type Column, DataTable, EmptyState, Facts, Panel, StatusBadge } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useLiveList } from "../../../data/live.tsx";
import { routeQuery } from "../../../data/route-query.ts";
import { momentColumn } from "../../../parts/columns.tsx";
import type { ClusterView } from "../../../parts/cluster-facts.ts";
import { LiveView } from "../../../parts/live-view.tsx";
import { QueryView } from "../../../parts/query-view.tsx";
import { useRefetchWhen } from "../../../parts/use-refetch-when.ts";
import { useMe } from "../../../session/me.ts";
import { refusalOf, rolesOf } from "../../../session/user-roles.ts";
import { useCluster } from "../use-cluster.ts";
import {
  allocationsOf,
  allocationState,
  type AllocationView,
  loadBalancerSource,
  purposes,
  rangeOf,
} from "./address-facts.ts";

type NodeView = RouteAnswer<typeof listClusterNodes>["nodes"][number];

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name");

/** Endpoint, networks and allocated addresses of the cluster. */
export function AddressesTab() {
  const { team } = route.useParams();
  const { cluster } = useCluster();
  const refusal = refusalOf(listAllAllocations, rolesOf(useMe(), team));
  return (
    <div className="b-grid">
      <Panel title="Networks">
        <Facts facts={networkFacts(cluster)} />
      </Panel>
      <Panel title="Allocations">
        {refusal === undefined ? (
          <Allocations cluster={cluster} />
        ) : (
          <>
            <Facts facts={allocationNames(cluster)} />
            <p className="b-soft">You don't have access to the allocated addresses. {refusal}</p>
          </>
        )}
      </Panel>
      <NodeAddresses />
    </div>
  );
}

function Allocations({ cluster }: { readonly cluster: ClusterView }) {
  const query = useQuery(routeQuery(listAllAllocations, { query: { cluster: cluster.metadata.name, limit: 500 } }));
  // Allocations have no live channel; the cluster changes when it gets one.
  useRefetchWhen(cluster.metadata.resourceVersion, () => query.refetch());
  return (
    <QueryView query={query}>
      {({ allocations }) => <AllocationTable allocations={allocationsOf(allocations as AllocationView[], cluster)} />}
    </QueryView>
  );
}

const columns: readonly Column<AllocationView>[] = [
  {
    id: "state",
    header: "State",
    width: "110px",
    isNarrow: true,
    cell: (allocation) => {
      const { tone, word, why } = allocationState(allocation);
      return (
        <span title={why}>
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </span>
      );
    },
  },
  { id: "type", header: "Purpose", width: "110px", cell: ({ spec }) => purposes[spec.type] },
  {
    id: "range",
    header: "Addresses",
    width: "minmax(150px, 2fr)",
    isNarrow: true,
    cell: (allocation) => <span className="b-mono">{rangeOf(allocation) || allocationState(allocation).why}</span>,
  },
  { id: "count", header: "Count", width: "80px", align: "end", cell: ({ status }) => status?.allocatedCount ?? "–" },
  { id: "pool", header: "Pool", width: "minmax(90px, 1fr)", cell: ({ spec }) => spec.poolRef.name },
  momentColumn({ id: "since", header: "Age", width: "80px" }, ({ status }) => status?.allocatedAt),
];

/** Addresses from network pools allocated to the cluster. */
export function AllocationTable({ allocations }: { readonly allocations: readonly AllocationView[] }) {
  return (
    <DataTable
      label="Allocations"
      rows={allocations}
      columns={columns}
      rowKey={({ metadata }) => `${metadata.namespace}/${metadata.name}`}
      empty={
        <EmptyState
          title="No allocations"
          sentence="The provider assigns addresses itself, or the allocation is still pending."
        />
      }
    />
  );
}

function NodeAddresses() {
  const { namespace, name } = route.useParams();
  const list = useLiveList<NodeView>("nodes", { namespace, cluster: name });
  return (
    <Panel title="Nodes">
      <LiveView list={list}>
        {(nodes) =>
          nodes.length === 0 ? (
            <p className="b-soft">No nodes yet.</p>
          ) : (
            <Facts
              facts={nodes.map((node) => [
                node.name,
                <span key="address" className="b-mono">
                  {node.internalIP || "–"}
                </span>,
              ])}
            />
          )
        }
      </LiveView>
    </Panel>
  );
}

function networkFacts(cluster: ClusterView) {
  const { networking } = cluster.spec;
  return [
    ["API server", cluster.status?.controlPlaneEndpoint],
    ["Pod network", networking.podCIDR],
    ["Service network", networking.serviceCIDR],
    ["Load balancers", loadBalancerSource(cluster)],
  ] as const;
}

function allocationNames({ status }: ClusterView) {
  const facts = [
    ["Nodes", status?.ipAllocationRef?.name],
    ["Load balancers", status?.lbAllocationRef?.name],
  ] as const;
  return facts;
}
