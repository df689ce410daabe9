import { poolState } from "@butler/api";
import { createNetwork, listNetworks } from "@butler/contract";
import { type Column, EmptyState, Meter } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { routeQuery } from "../../../data/route-query.ts";
import { nameColumn, numberColumn, stateColumn } from "../../../parts/columns.tsx";
import { ageColumn } from "../shared/age-column.tsx";
import { ListPage } from "../shared/list-page.tsx";
import { NetworkDialog } from "./network-dialog.tsx";
import type { PoolView } from "./pool-view.ts";

const route = getRouteApi("/signed-in/admin/networks");

const columns: readonly Column<PoolView>[] = [
  nameColumn(
    "minmax(140px, 1.4fr)",
    ({ metadata }) => metadata.name,
    ({ metadata: { name, namespace = "" } }) => (
      <Link to="/admin/networks/$namespace/$name" params={{ namespace, name }} className="b-mono">
        {name}
      </Link>
    ),
  ),
  { id: "cidr", header: "Network", sortBy: ({ spec }) => spec.cidr, cell: ({ spec }) => <code>{spec.cidr}</code> },
  stateColumn("116px", poolState),
  {
    id: "used",
    header: "Used",
    width: "minmax(120px, 1fr)",
    sortBy: ({ status }) => (status?.totalIPs ?? 0) - (status?.availableIPs ?? 0),
    cell: ({ status: { totalIPs = 0, availableIPs = 0 } = {} }) => (
      <Meter
        label=""
        used={totalIPs - availableIPs}
        limit={totalIPs}
        words={`${totalIPs - availableIPs} / ${totalIPs}`}
      />
    ),
  },
  numberColumn(
    { id: "largest", header: "Largest free block", width: "128px" },
    ({ status }) => status?.largestFreeBlock,
  ),
  numberColumn({ id: "allocations", header: "Allocations", width: "92px" }, ({ status }) => status?.allocationCount),
  ageColumn,
];

const textsOf = ({ metadata, spec }: PoolView) => [metadata.name, metadata.namespace, spec.cidr];

/** The network pools that addresses are allocated from. */
export function NetworksPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ListPage
      title="Networks"
      label="Network pools"
      query={useQuery(routeQuery(listNetworks, { query: { limit: 500 } }))}
      rowsOf={({ pools }) => pools as readonly PoolView[]}
      columns={columns}
      rowKey={({ metadata }) => `${metadata.namespace}/${metadata.name}`}
      textsOf={textsOf}
      search={search}
      onSearch={({ open, ...change }) => {
        const [namespace, name] = open?.split("/") ?? [];
        if (namespace !== undefined && name !== undefined) {
          void navigate({ to: "/admin/networks/$namespace/$name", params: { namespace, name } });
        } else void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
      }}
      empty={
        <EmptyState
          title="No network pools yet"
          sentence="Clusters on your own hardware get their addresses from a pool."
          command="kubectl get networkpools -A"
        />
      }
      add={{
        label: "New network pool",
        route: createNetwork,
        dialog: (onClose) => <NetworkDialog onClose={onClose} />,
      }}
    />
  );
}
