import { createTeam, deleteTeam, listTeams } from "@butler/contract";
import { Button, type Column, Dialog, EmptyState, Facts, Meter } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { nameColumn, recencyColumn, stateColumn } from "../../../parts/columns.tsx";
import { useAnnouncedMutation } from "../../../parts/use-announced-mutation.ts";
import { teamsQuery } from "../../../session/me.ts";
import { useMay } from "../shared/action-button.tsx";
import { ConfirmByName } from "../shared/confirm-by-name.tsx";
import { ListPage } from "../shared/list-page.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { useListSearch } from "../shared/use-list-search.ts";
import { NewTeamDialog } from "./new-team-dialog.tsx";
import { teamDeletion, type TeamRow } from "./team-facts.ts";

const route = getRouteApi("/signed-in/admin/teams");

const columns: readonly Column<TeamRow>[] = [
  nameColumn(
    "minmax(130px, 1.2fr)",
    ({ name }) => name,
    ({ name }) => (
      <Link to="/t/$team" params={{ team: name }} className="b-mono" title={name}>
        {name}
      </Link>
    ),
  ),
  {
    id: "title",
    header: "Display name",
    width: "minmax(130px, 1.4fr)",
    sortBy: ({ displayName }) => displayName,
    cell: ({ displayName }) => <span dir="auto">{displayName}</span>,
  },
  stateColumn("104px", ({ phase }) => ({ tone: phase === "Ready" ? "ready" : "working", word: phase })),
  {
    id: "clusters",
    header: "Clusters",
    width: "minmax(96px, 0.8fr)",
    isNarrow: true,
    sortBy: ({ clusterCount }) => clusterCount,
    cell: ({ clusterCount, resourceLimits }) => {
      const limit = resourceLimits?.maxClusters;
      const words = limit === undefined ? clusterCount : `${clusterCount} / ${limit}`;
      return <Meter label="" used={clusterCount} limit={limit} words={words} />;
    },
  },
  { id: "people", header: "Members", width: "72px", align: "end", sortBy: ({ memberCount }) => memberCount },
  { id: "groups", header: "Groups", width: "72px", align: "end", sortBy: ({ groupCount }) => groupCount },
  recencyColumn({ id: "age", header: "Age", width: "84px" }, ({ createdAt }) => createdAt),
];

const textsOf = ({ name, displayName, description, phase }: TeamRow) => [name, displayName, description, phase];

/** All teams of the platform. */
export function AllTeamsPage() {
  return <AllTeams {...useListSearch(route)} />;
}

/** The page without its route. */
export function AllTeams(props: SearchProps) {
  return (
    <ListPage
      {...props}
      title="Teams"
      query={useQuery(teamsQuery)}
      rowsOf={({ teams }) => teams}
      columns={columns}
      rowKey={({ name }) => name}
      textsOf={textsOf}
      empty={<EmptyState title="No teams yet" sentence="Clusters belong to teams. Create the first team." />}
      add={{
        label: "New team",
        route: createTeam,
        action: "teams.create",
        dialog: (onClose) => <NewTeamDialog onClose={onClose} />,
      }}
      drawer={(team, onClose) => <TeamDrawer team={team} onClose={onClose} />}
    />
  );
}

function TeamDrawer({ team, onClose }: { readonly team: TeamRow; readonly onClose: () => void }) {
  const may = useMay(deleteTeam);
  const [isDeleting, setDeleting] = useState(false);
  const remove = useAnnouncedMutation(deleteTeam, { refreshes: [listTeams], onDone: onClose });
  const { name, displayName, description, namespace, phase, clusterCount, environments } = team;
  if (isDeleting) {
    return (
      <ConfirmByName
        title={`Delete team ${name}?`}
        name={name}
        {...teamDeletion(team)}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { team: name } })}
        onClose={() => setDeleting(false)}
      />
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place="right"
      title={displayName === "" ? name : displayName}
      actions={
        may && (
          <Button kind="danger-quiet" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        )
      }
    >
      {description !== "" && <p dir="auto">{description}</p>}
      <Facts
        facts={[
          ["Name", <code key="name">{name}</code>],
          ["Namespace", <code key="namespace">{namespace}</code>],
          ["State", phase],
          ["Clusters", String(clusterCount)],
          ["Environments", environments.map((each) => each.name).join(", ")],
        ]}
      />
      <Link to="/t/$team" params={{ team: name }}>
        Open team
      </Link>
    </Dialog>
  );
}
