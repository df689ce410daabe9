import type { listClusterEvents, RouteAnswer } from "@butler/contract";
import { type Column, DataTable, EmptyState, type Sorting, StatusBadge } from "@butler/ui";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useLiveList } from "../../data/live.tsx";
import { recencyColumn, sentenceColumn } from "../../parts/columns.tsx";
import { LiveView } from "../../parts/live-view.tsx";

type EventView = RouteAnswer<typeof listClusterEvents>["events"][number];

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name");

const columns: readonly Column<EventView>[] = [
  {
    id: "type",
    header: "Type",
    width: "100px",
    sortBy: ({ type }) => type,
    cell: ({ type }) => <StatusBadge tone={type === "Warning" ? "attention" : "asleep"}>{type}</StatusBadge>,
  },
  recencyColumn(
    { id: "last", header: "Last seen", width: "84px", isNarrow: true },
    ({ lastTimestamp }) => lastTimestamp,
  ),
  { id: "reason", header: "Reason", width: "minmax(110px, 1fr)", sortBy: ({ reason }) => reason },
  sentenceColumn(
    { id: "message", header: "Message", width: "minmax(180px, 3fr)", isNarrow: true },
    ({ message }) => message,
  ),
  { id: "object", header: "Object", width: "minmax(110px, 1fr)", sortBy: ({ object }) => object },
  { id: "count", header: "Count", width: "64px", align: "end", sortBy: ({ count }) => count },
];

/** Recent events of the cluster, live. */
export function EventsTab() {
  const { namespace, name } = route.useParams();
  const [sorting, setSorting] = useState<Sorting>({ column: "last", isDescending: false });
  const list = useLiveList<EventView>("events", { namespace, cluster: name });
  return (
    <LiveView list={list}>
      {(events) => (
        <DataTable
          label="Events"
          rows={events}
          columns={columns}
          rowKey={({ object, reason, message, firstTimestamp = "" }) =>
            [object, reason, message, firstTimestamp].join(" ")
          }
          sorting={sorting}
          onSort={setSorting}
          empty={<EmptyState title="No recent events" sentence="Kubernetes keeps events for an hour." />}
        />
      )}
    </LiveView>
  );
}
