import type { BriefCluster } from "@butler/contract";
import { buttonLook, type Column, DataTable, EmptyState, Page, parseSorting, sortingText } from "@butler/ui";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { type PageAction, useActions } from "../../app/actions.tsx";
import { useLiveList } from "../../data/live.tsx";
import { teamOf } from "../../parts/cluster-facts.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { LiveView } from "../../parts/live-view.tsx";
import { mayOperate } from "../../parts/operating.ts";
import { useMe } from "../../session/me.ts";
import { fleetColumns, teamColumns } from "./columns.tsx";
import type { ClustersSearch } from "./search.ts";
import { phaseCounts, selectClusters } from "./select.ts";

const teamApi = getRouteApi("/signed-in/t/$team/clusters");
const ofTeamApi = getRouteApi("/signed-in/t/$team");
const fleetApi = getRouteApi("/signed-in/admin/clusters");

/** The clusters of a team, live. */
export function ClustersPage() {
  const { team } = teamApi.useParams();
  const search = teamApi.useSearch();
  const navigate = teamApi.useNavigate();
  const command = `butlerctl cluster create my-cluster --team ${team}`;
  const mayCreate = mayOperate({ me: useMe(), team: ofTeamApi.useLoaderData() });
  useActions(
    useMemo(
      () =>
        mayCreate
          ? [
              {
                id: "create-cluster",
                label: "Create cluster",
                keys: "c",
                perform: () => void navigate({ to: "/t/$team/clusters/new", params: { team } }),
              },
            ]
          : [],
      [mayCreate, navigate, team],
    ),
  );
  const create = mayCreate ? (
    <Link to="/t/$team/clusters/new" params={{ team }} {...buttonLook("primary")}>
      Create cluster
    </Link>
  ) : undefined;
  return (
    <Clusters
      title="Clusters"
      create={create}
      filter={{ team }}
      search={search}
      columns={teamColumns}
      command={command}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  );
}

/** The clusters of all teams, live. */
export function AllClustersPage() {
  const search = fleetApi.useSearch();
  const navigate = fleetApi.useNavigate();
  return (
    <Clusters
      title="All clusters"
      filter={{}}
      search={search}
      columns={fleetColumns}
      command="butlerctl cluster create my-cluster --team my-team"
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  );
}

interface ClustersProps {
  readonly title: string;
  readonly filter: { readonly team?: string };
  readonly search: ClustersSearch & { readonly env?: string | undefined };
  readonly columns: readonly Column<BriefCluster>[];
  readonly command: string;
  /** Link to create a cluster, if permitted. */
  readonly create?: ReactNode;
  readonly onSearch: (change: ClustersSearch) => void;
}

function clearing(navigate: ReturnType<typeof useNavigate>): PageAction {
  const search = (before: object) => ({ ...before, q: undefined, phase: undefined });
  return { id: "clear-filter", label: "Clear filters", perform: () => void navigate({ to: ".", search }) };
}

const noClusters: readonly BriefCluster[] = [];

function Clusters({ title, filter, search, columns, command, create, onSearch }: ClustersProps) {
  const list = useLiveList<BriefCluster>("clusters", { ...filter, isBrief: true });
  const navigate = useNavigate();
  useActions(useMemo(() => [clearing(navigate)], [navigate]));
  const { q, phase, env, sort = "name" } = search;
  const all = list.items ?? noClusters;
  const inEnvironment = useMemo(() => selectClusters(all, { env }), [all, env]);
  const shown = useMemo(() => selectClusters(inEnvironment, { q, phase }), [inEnvironment, q, phase]);
  const sorting = useMemo(() => parseSorting(sort), [sort]);
  return (
    <Page title={title} actions={create} isFilling>
      <LiveView list={list}>
        {() =>
          all.length === 0 ? (
            <EmptyState
              title="No clusters yet"
              sentence="Creating a cluster takes a few minutes."
              action={create}
              command={command}
            />
          ) : (
            <>
              <FilterBar
                label="Filter clusters"
                placeholder="Filter by name, version, owner…"
                text={q}
                onText={(next) => onSearch({ q: next })}
                chips={phaseCounts(inEnvironment).map(([value, count]) => ({ value, label: value, count }))}
                chosen={phase}
                onChoose={(next) => onSearch({ phase: next })}
                count={`${shown.length} of ${all.length}${env === undefined ? "" : ` · in ${env}`}`}
              />
              <DataTable
                label={title}
                rows={shown}
                columns={columns}
                rowKey={({ metadata }) => `${metadata.namespace}/${metadata.name}`}
                sorting={sorting}
                onSort={(next) => onSearch({ sort: sortingText(next) })}
                onOpen={(cluster) =>
                  void navigate({
                    to: "/t/$team/clusters/$namespace/$name",
                    params: {
                      team: teamOf(cluster),
                      namespace: cluster.metadata.namespace ?? "",
                      name: cluster.metadata.name,
                    },
                  })
                }
                empty={<EmptyState title="No matching clusters" sentence="Clear a filter." />}
                isFilling
              />
            </>
          )
        }
      </LiveView>
    </Page>
  );
}
