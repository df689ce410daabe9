import { type Column, DataTable, EmptyState, type Sorting, StatusBadge, type Tone } from "@butler/ui";
import { useState } from "react";
import { numberColumn } from "../../../parts/columns.tsx";
import { ageColumn } from "../shared/age-column.tsx";
import type { AllocationView } from "./pool-view.ts";

const tones: Readonly<Record<string, Tone>> = {
  Pending: "working",
  Allocated: "ready",
  Released: "asleep",
  Failed: "failed",
};
const types = { nodes: "Nodes", loadbalancer: "Load balancers" } as const;

const columns: readonly Column<AllocationView>[] = [
  {
    id: "cluster",
    header: "Cluster",
    width: "minmax(140px, 1.4fr)",
    isNarrow: true,
    sortBy: ({ spec }) => `${spec.tenantClusterRef.namespace}/${spec.tenantClusterRef.name}`,
    cell: ({ spec: { tenantClusterRef: of } }) => (
      <span className="b-mono">
        {of.namespace}/{of.name}
      </span>
    ),
  },
  { id: "type", header: "Purpose", sortBy: ({ spec }) => spec.type, cell: ({ spec }) => types[spec.type] },
  {
    id: "range",
    header: "Addresses",
    width: "minmax(180px, 1.6fr)",
    isNarrow: true,
    sortBy: ({ status }) => status?.startAddress ?? "",
    cell: ({ status }) => (
      <span className="b-mono">{status?.startAddress && `${status.startAddress} – ${status.endAddress}`}</span>
    ),
  },
  numberColumn({ id: "count", header: "Count", width: "84px" }, ({ status }) => status?.allocatedCount),
  {
    id: "phase",
    header: "State",
    width: "112px",
    sortBy: ({ status }) => status?.phase ?? "",
    cell: ({ status: { phase = "Pending" } = {} }) => (
      <StatusBadge tone={tones[phase] ?? "unknown"}>{phase}</StatusBadge>
    ),
  },
  ageColumn,
];

/** The allocations of a pool as a table. */
export function AllocationTable({ allocations }: { readonly allocations: readonly AllocationView[] }) {
  const [sorting, setSorting] = useState<Sorting>({ column: "range", isDescending: false });
  return (
    <DataTable
      label="Allocations"
      rows={allocations}
      columns={columns}
      rowKey={({ metadata }) => metadata.name}
      sorting={sorting}
      onSort={setSorting}
      empty={
        <EmptyState title="No addresses allocated yet" sentence="Addresses are allocated when a cluster is created." />
      }
    />
  );
}
