import type { TeamRole } from "@butler/api";
import { addMember, changeMember, getMe, getTeam, listMembers, removeMember } from "@butler/contract";
import { Button, DataTable, EmptyState, Icon, Notice, type Sorting, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useActions } from "../../app/actions.tsx";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { AskFirst } from "../../parts/ask-first.tsx";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { QueryView } from "../../parts/query-view.tsx";
import { roleWord, teamRoles } from "../../parts/roles.ts";
import { isAllowed, refusalOf } from "../../session/user-roles.ts";
import { AddMemberDialog } from "./add-member.tsx";
import { memberColumns } from "./member-columns.tsx";
import { isStepDown, type Member, type MembersSelection, removalSentence, selectMembers } from "./members.ts";
import { useTeam } from "./use-team.ts";

const route = getRouteApi("/signed-in/t/$team/members/");
/** The user's own role may have changed as well. */
const refreshes = [listMembers, getTeam, getMe];

/** The open dialog. */
type Open =
  | { readonly kind: "add" }
  | { readonly kind: "remove"; readonly member: Member }
  | { readonly kind: "step-down"; readonly member: Member; readonly role: TeamRole };

/** The members of the team with role and source. */
export function MembersPage() {
  const { team, me, roles } = useTeam();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const toast = useToast();
  const members = useQuery(routeQuery(listMembers, { params: { team }, query: { limit: 500 } }));
  const [open, setOpen] = useState<Open>();
  const [sorting, setSorting] = useState<Sorting>({ column: "name", isDescending: false });
  const close = (): void => setOpen(undefined);
  const changed = {
    refreshes,
    onSuccess: ({ member }: { readonly member?: Member | undefined }) => {
      close();
      if (member === undefined) return;
      toast({ kind: "done", title: `${member.email} is now ${roleWord(member.role)}`, detail: detailOf(member) });
    },
    onError: (error: Error) => toast({ kind: "failed", title: "Could not change the role", detail: error.message }),
  };
  const change = useRouteMutation(changeMember, changed);
  const add = useRouteMutation(addMember, changed);
  const remove = useRouteMutation(removeMember, {
    refreshes,
    onSuccess: ({ member, retainsAccess }) => {
      close();
      const detail = retainsAccess && member !== undefined ? detailOf(member) : undefined;
      toast({ kind: "done", title: retainsAccess ? "Direct role removed" : "Member removed", detail });
    },
  });
  const mayChange = isAllowed(addMember, roles);
  const actions = useMemo(
    () =>
      mayChange ? [{ id: "add-member", label: "Add member", keys: "c", perform: () => setOpen({ kind: "add" }) }] : [],
    [mayChange],
  );
  useActions(actions);
  const narrow = (part: MembersSelection): void =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const setRole = (member: Member, role: TeamRole): void => {
    // Members through a group have no direct role to change: add one.
    if (member.directRole === undefined) add.mutate({ params: { team }, body: { email: member.email, role } });
    else if (isStepDown(member, role, me.email)) setOpen({ kind: "step-down", member, role });
    else change.mutate({ params: { team, email: member.email }, body: { role } });
  };
  const columns = memberColumns({
    me: me.email,
    ...(mayChange && { onRole: setRole, onRemove: (member: Member) => setOpen({ kind: "remove", member }) }),
  });
  return (
    <>
      {!mayChange && <p className="b-soft">Changing members {refusalOf(addMember, roles)?.toLowerCase()}</p>}
      <QueryView query={members}>
        {({ members: all, total }) => {
          const shown = selectMembers(all, search);
          return (
            <>
              <FilterBar
                label="Filter members"
                placeholder="Filter by name, email, group…"
                text={search.q}
                onText={(q) => narrow({ q })}
                chips={teamRoles.map(({ role, word }) => ({ value: role, label: word }))}
                chosen={search.role}
                onChoose={(role) => narrow({ role: teamRoles.find((each) => each.role === role)?.role })}
                count={`${shown.length} of ${total}`}
                actions={
                  mayChange && (
                    <Button kind="primary" onClick={() => setOpen({ kind: "add" })}>
                      <Icon name="plus" /> Add member
                    </Button>
                  )
                }
              />
              {total > all.length && <Notice tone="attention">Showing only the first {all.length} members.</Notice>}
              <DataTable
                label="Members"
                rows={shown}
                columns={columns}
                rowKey={({ email }) => email}
                sorting={sorting}
                onSort={setSorting}
                density="comfortable"
                empty={<NoMembers isNarrowed={all.length > 0} />}
              />
            </>
          );
        }}
      </QueryView>
      {open?.kind === "add" && <AddMemberDialog team={team} onClose={close} />}
      {open?.kind === "remove" && (
        <AskFirst
          title={`Remove ${open.member.email}?`}
          sentence={removalSentence(open.member, me.email)}
          confirm="Remove"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { team, email: open.member.email } })}
          onClose={close}
        />
      )}
      {open?.kind === "step-down" && (
        <AskFirst
          title={`Change your role to ${roleWord(open.role)}?`}
          sentence="You can no longer change the members, environments or settings of this team."
          confirm="Change role"
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate({ params: { team, email: open.member.email }, body: { role: open.role } })}
          onClose={close}
        />
      )}
    </>
  );
}

function NoMembers({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) return <EmptyState title="No matching members" sentence="Clear a filter." />;
  return <EmptyState title="No members yet" sentence="Add members by email address, or add a group." />;
}

function detailOf({ source, groupName = "", groupRole }: Member): string | undefined {
  if (source === "direct" || groupRole === undefined) return undefined;
  return `Group ${groupName} grants ${roleWord(groupRole)}.`;
}
