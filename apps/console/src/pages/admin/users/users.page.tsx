import { inviteUser, listUsers } from "@butler/contract";
import { Chip, type Column, EmptyState } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { routeQuery } from "../../../data/route-query.ts";
import { recencyColumn, stateColumn } from "../../../parts/columns.tsx";
import { ListPage } from "../shared/list-page.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { useListSearch } from "../shared/use-list-search.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { UserDrawer } from "./user-drawer.tsx";
import { userTone, type UserView } from "./user-facts.ts";

const route = getRouteApi("/signed-in/admin/users");

const columns: readonly Column<UserView>[] = [
  {
    id: "email",
    header: "Email",
    width: "minmax(160px, 2fr)",
    isNarrow: true,
    sortBy: ({ email }) => email,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  {
    id: "name",
    header: "Name",
    width: "minmax(110px, 1.2fr)",
    sortBy: ({ displayName }) => displayName,
    cell: ({ displayName }) => <span dir="auto">{displayName}</span>,
  },
  stateColumn("104px", (user) => ({ tone: userTone(user), word: user.phase })),
  {
    id: "role",
    header: "Platform role",
    width: "104px",
    sortBy: ({ platformRole }) => platformRole,
    cell: ({ platformRole }) => platformRole !== "" && <Chip>{platformRole}</Chip>,
  },
  {
    id: "signs-in",
    header: "Sign-in method",
    sortBy: ({ ssoProvider, authType }) => ssoProvider ?? authType,
    cell: ({ authType, ssoProvider }) => (authType === "internal" ? "Password" : (ssoProvider ?? "Identity provider")),
  },
  {
    id: "teams",
    header: "Teams",
    sortBy: ({ teams }) => teams.length,
    cell: ({ teams }) => (
      <span title={teams.map(({ name, role }) => `${name}: ${role}`).join(", ")}>
        {teams.map(({ name }) => name).join(", ")}
      </span>
    ),
  },
  recencyColumn({ id: "seen", header: "Last sign-in", width: "92px" }, ({ lastLoginTime }) => lastLoginTime),
];

const textsOf = ({ email, displayName, username, phase, platformRole, ssoProvider, teams }: UserView) => [
  email,
  displayName,
  username,
  phase,
  platformRole,
  ssoProvider,
  ...teams.map(({ name }) => name),
];

/** Accounts and invitations of the platform. */
export function UsersPage() {
  return <Users {...useListSearch(route)} />;
}

/** The page without its route. */
export function Users(props: SearchProps) {
  return (
    <ListPage
      {...props}
      title="Users"
      query={useQuery(routeQuery(listUsers, { query: { limit: 500 } }))}
      rowsOf={({ users }) => users}
      columns={columns}
      rowKey={({ username }) => username}
      textsOf={textsOf}
      empty={<EmptyState title="No accounts yet" sentence="Invite a user, or add an identity provider." />}
      add={{
        label: "Invite user",
        route: inviteUser,
        action: "users.invite",
        dialog: (onClose) => <InviteDialog onClose={onClose} />,
      }}
      drawer={(user, onClose) => <UserDrawer key={user.username} user={user} onClose={onClose} />}
    />
  );
}
