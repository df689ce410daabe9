import type { TeamRole } from "@butler/api";
import {
  addGroup,
  changeGroup,
  getMe,
  getTeam,
  listGroups,
  listMembers,
  removeGroup,
  type RouteAnswer,
} from "@butler/contract";
import { Button, Chip, type Column, DataTable, EmptyState, Icon, type Sorting, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { AskFirst } from "../../parts/ask-first.tsx";
import { ToolbarEnd } from "../../parts/filter-bar.tsx";
import { QueryView } from "../../parts/query-view.tsx";
import { isAllowed } from "../../session/user-roles.ts";
import { AddGroupDialog } from "./add-group.tsx";
import { roleColumn, roleMenuColumn } from "./role-menu.tsx";
import { useTeam } from "./use-team.ts";

type Group = RouteAnswer<typeof listGroups>["groups"][number];

/** Disambiguates groups of the same name. */
const idpOf = ({ identityProvider }: Group) => (identityProvider ? { idp: identityProvider } : {});
const refreshes = [listGroups, listMembers, getTeam, getMe];

/** Identity provider groups with a role in the team. */
export function GroupsPage() {
  const { team, roles } = useTeam();
  const toast = useToast();
  const groups = useQuery(routeQuery(listGroups, { params: { team } }));
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Group>();
  const [sorting, setSorting] = useState<Sorting>({ column: "name", isDescending: false });
  const change = useRouteMutation(changeGroup, {
    refreshes,
    onSuccess: () => toast({ kind: "done", title: "Group role changed" }),
    onError: (error) => toast({ kind: "failed", title: "Could not change the role", detail: error.message }),
  });
  const remove = useRouteMutation(removeGroup, {
    refreshes,
    onSuccess: () => {
      setLeaving(undefined);
      toast({ kind: "done", title: "Group removed" });
    },
  });
  const mayChange = isAllowed(addGroup, roles);
  const setRole = (group: Group, role: TeamRole): void =>
    change.mutate({ params: { team, group: group.name }, query: idpOf(group), body: { role } });
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Icon name="plus" /> Add group
    </Button>
  );
  return (
    <>
      <QueryView query={groups}>
        {({ groups: all, total }) => (
          <>
            <div className="b-toolbar">
              <ToolbarEnd count={total === 1 ? "1 group" : `${total} groups`} actions={mayChange && add} />
            </div>
            <DataTable
              label="Groups"
              rows={all}
              columns={columnsOf(mayChange ? { onRole: setRole, onRemove: setLeaving } : undefined)}
              rowKey={({ name, identityProvider = "" }) => `${identityProvider} ${name}`}
              sorting={sorting}
              onSort={setSorting}
              density="comfortable"
              empty={
                <EmptyState
                  title="No groups yet"
                  sentence="Add a group to manage membership in your identity provider."
                />
              }
            />
          </>
        )}
      </QueryView>
      {isAdding && <AddGroupDialog team={team} onClose={() => setAdding(false)} />}
      {leaving !== undefined && (
        <AskFirst
          title={`Remove group ${leaving.name}?`}
          sentence="Members who are in the team only through this group lose access immediately. Direct members keep access."
          confirm="Remove group"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { team, group: leaving.name }, query: idpOf(leaving) })}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

interface GroupChanges {
  readonly onRole: (group: Group, role: TeamRole) => void;
  readonly onRemove: (group: Group) => void;
}

function columnsOf(changes: GroupChanges | undefined): readonly Column<Group>[] {
  const shown: readonly Column<Group>[] = [
    {
      id: "name",
      header: "Group",
      width: "minmax(150px, 3fr)",
      isNarrow: true,
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ name }) => <span title={name}>{name}</span>,
    },
    {
      id: "provider",
      header: "Identity provider",
      width: "minmax(110px, 1fr)",
      sortBy: ({ identityProvider = "" }) => identityProvider,
      cell: ({ identityProvider }) =>
        identityProvider ? <Chip>{identityProvider}</Chip> : <span className="b-soft">any</span>,
    },
    roleColumn,
  ];
  if (changes === undefined) return shown;
  const menu = roleMenuColumn<Group>((group) => ({
    name: group.name,
    role: group.role,
    remove: "Remove group…",
    onRole: (role) => changes.onRole(group, role),
    onRemove: () => changes.onRemove(group),
  }));
  return [...shown, menu];
}
