import type { listClusterNodes, RouteAnswer } from "@butler/contract";
import { type Column, DataTable, EmptyState, type Sorting, StatusBadge } from "@butler/ui";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useLiveList } from "../../data/live.tsx";
import { nameColumn, recencyColumn } from "../../parts/columns.tsx";
import { readableAmount } from "../../parts/amounts.ts";
import { LiveView } from "../../parts/live-view.tsx";

type NodeView = RouteAnswer<typeof listClusterNodes>["nodes"][number];

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name");
const tones = { Ready: "ready", NotReady: "failed", Unknown: "unknown" } as const;
const words = { Ready: "Ready", NotReady: "Not ready", Unknown: "Unknown" } as const;

const columns: readonly Column<NodeView>[] = [
  {
    id: "status",
    header: "State",
    width: "104px",
    isNarrow: true,
    sortBy: ({ status }) => status,
    cell: ({ status }) => <StatusBadge tone={tones[status]}>{words[status]}</StatusBadge>,
  },
  nameColumn("minmax(150px, 2fr)", ({ name }) => name),
  { id: "version", header: "Version", sortBy: ({ version }) => version, cell: ({ version }) => version },
  { id: "address", header: "Address", sortBy: ({ internalIP }) => internalIP, cell: ({ internalIP }) => internalIP },
  { id: "os", header: "OS", sortBy: ({ os }) => os, cell: ({ os }) => os },
  { id: "cpu", header: "CPU", width: "64px", align: "end", sortBy: ({ cpu }) => Number(cpu), cell: ({ cpu }) => cpu },
  { id: "memory", header: "Memory", width: "104px", align: "end", cell: ({ memory }) => readableAmount(memory) },
  recencyColumn({ id: "age", header: "Age", width: "84px" }, ({ age }) => (age === "" ? undefined : age)),
];

/** The nodes of the cluster, live. */
export function NodesTab() {
  const { namespace, name } = route.useParams();
  const [sorting, setSorting] = useState<Sorting>({ column: "name", isDescending: false });
  const list = useLiveList<NodeView>("nodes", { namespace, cluster: name });
  return (
    <LiveView list={list}>
      {(nodes) => (
        <DataTable
          label="Nodes"
          rows={nodes}
          columns={columns}
          rowKey={(node) => node.name}
          sorting={sorting}
          onSort={setSorting}
          empty={<EmptyState title="No nodes yet" sentence="Nodes join once the control plane is ready." />}
        />
      )}
    </LiveView>
  );
}
