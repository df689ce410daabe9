import type { Usage } from "@butler/access";
import { type Column, DataTable, EmptyState, Page, Panel, type Sorting, StatusBadge } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { LiveView } from "../../parts/live-view.tsx";
import { type OwnerShare, usageByEnvironment, usageByOwner, type UsageShare, usageWords } from "./usage.ts";
import { UsageMeters } from "./usage-meters.tsx";
import { useTeam, useTeamClusters } from "./use-team.ts";
import { useTeamUsage } from "./use-team-usage.ts";

/** Usage and limits of the team: in total, by environment and by member. Updated with its clusters. */
export function UsagePage() {
  const { team, view } = useTeam();
  const list = useTeamClusters(team);
  const usage = useTeamUsage(team, list.items);
  return (
    <Page title="Usage">
      <Panel title="Team">
        <UsageMeters usage={usage} view={view} />
        <p className="b-soft">
          Usage counts the resources that clusters request, including clusters that are still being created. Platform
          administrators set the limits.
        </p>
      </Panel>
      <LiveView list={list}>
        {(clusters) =>
          clusters.length === 0 && view.environments.length === 0 ? (
            <EmptyState title="No usage yet" sentence="Resources requested by clusters appear here." />
          ) : (
            <>
              <h2>By environment</h2>
              <EnvironmentShares rows={usageByEnvironment(clusters, view.environments)} team={team} />
              <h2>By member</h2>
              <OwnerShares rows={usageByOwner(clusters, view.environments)} />
            </>
          )
        }
      </LiveView>
    </Page>
  );
}

const amounts: readonly (readonly [keyof ReturnType<typeof usageWords>, string, (usage: Usage) => number])[] = [
  ["nodes", "Workers", ({ nodes }) => nodes],
  ["cpu", "CPU", ({ cpuMilli }) => Number(cpuMilli)],
  ["memory", "Memory", ({ memoryBytes }) => Number(memoryBytes)],
  ["storage", "Disk", ({ storageBytes }) => Number(storageBytes)],
];

const amountColumns: readonly Column<UsageShare>[] = amounts.map(([id, header, sortBy]) => ({
  id,
  header,
  width: "88px",
  align: "end",
  sortBy: ({ usage }) => sortBy(usage),
  cell: ({ usage }) => usageWords(usage)[id],
}));

function EnvironmentShares({ rows, team }: { readonly rows: readonly UsageShare[]; readonly team: string }) {
  const [sorting, setSorting] = useState<Sorting>();
  const columns = useMemo((): readonly Column<UsageShare>[] => {
    const name: Column<UsageShare> = {
      id: "name",
      header: "Environment",
      width: "minmax(140px, 2fr)",
      isNarrow: true,
      sortBy: (share) => share.name,
      cell: ({ name: text, isDefined }) =>
        text === "" ? (
          <span className="b-soft">No environment</span>
        ) : (
          <span>
            <Link to="/t/$team/clusters" params={{ team }} search={{ env: text }}>
              {text}
            </Link>
            {!isDefined && <span className="b-soft"> (no longer defined)</span>}
          </span>
        ),
    };
    const clusters: Column<UsageShare> = {
      id: "clusters",
      header: "Clusters",
      width: "112px",
      align: "end",
      isNarrow: true,
      sortBy: ({ usage }) => usage.clusters,
      cell: ({ usage, maxClusters }) => <CountOf count={usage.clusters} limit={maxClusters} />,
    };
    return [name, clusters, ...amountColumns];
  }, [team]);
  return (
    <DataTable
      label="Usage by environment"
      rows={rows}
      columns={columns}
      rowKey={({ name }) => name}
      sorting={sorting}
      onSort={setSorting}
      empty={<p className="b-soft">None.</p>}
    />
  );
}

const ownerColumns: readonly Column<OwnerShare>[] = [
  {
    id: "name",
    header: "Member",
    width: "minmax(140px, 2fr)",
    isNarrow: true,
    sortBy: ({ name }) => name,
    cell: ({ name }) => (name === "" ? <span className="b-soft">No owner</span> : <span title={name}>{name}</span>),
  },
  {
    id: "clusters",
    header: "Clusters",
    width: "80px",
    align: "end",
    isNarrow: true,
    sortBy: ({ usage }) => usage.clusters,
  },
  {
    id: "caps",
    header: "Member limit",
    width: "minmax(140px, 1.5fr)",
    cell: ({ caps }) =>
      caps.map(({ environment, clusters, maxClusters }) => (
        <span key={environment}>
          {environment} <CountOf count={clusters} limit={maxClusters} />{" "}
        </span>
      )),
  },
  ...amountColumns,
];

function OwnerShares({ rows }: { readonly rows: readonly OwnerShare[] }) {
  const [sorting, setSorting] = useState<Sorting>();
  return (
    <DataTable
      label="Usage by member"
      rows={rows}
      columns={ownerColumns}
      rowKey={({ name }) => name}
      sorting={sorting}
      onSort={setSorting}
      empty={<p className="b-soft">No clusters.</p>}
    />
  );
}

function CountOf({ count, limit }: { readonly count: number; readonly limit: number | undefined }) {
  if (limit === undefined) return <span>{count}</span>;
  const words = `${count} of ${limit}`;
  if (count < limit) return <span>{words}</span>;
  return <StatusBadge tone={count > limit ? "failed" : "attention"}>{words}</StatusBadge>;
}
