import { isSameEmail } from "@butler/access";
import type { TeamRole } from "@butler/api";
import { Chip, type Column } from "@butler/ui";
import { accessWords, type Member, removalRefusal } from "./members.ts";
import { roleColumn, roleMenuColumn } from "./role-menu.tsx";

/** Options of the columns; the callbacks require permission. */
export interface MemberColumnsOptions {
  /** Email address of the signed-in user. */
  readonly me: string;
  readonly onRole?: (member: Member, role: TeamRole) => void;
  readonly onRemove?: (member: Member) => void;
}

/** The columns of the member list; the menu is shown to users who may change members. */
export function memberColumns({ me, onRole, onRemove }: MemberColumnsOptions): readonly Column<Member>[] {
  const shown: readonly Column<Member>[] = [
    {
      id: "name",
      header: "Name",
      width: "minmax(150px, 2fr)",
      isNarrow: true,
      sortBy: ({ name, email }) => (name === "" ? email : name).toLowerCase(),
      cell: ({ name, email }) => (
        <span title={email}>
          {name === "" ? email : name} {isSameEmail(email, me) && <Chip>you</Chip>}
        </span>
      ),
    },
    { id: "email", header: "Email", width: "minmax(150px, 2fr)", sortBy: ({ email }) => email, cell: mailOf },
    roleColumn,
    {
      id: "source",
      header: "Access",
      width: "minmax(160px, 2fr)",
      sortBy: accessWords,
      cell: (member) => <span title={accessWords(member)}>{accessWords(member)}</span>,
    },
  ];
  if (onRole === undefined || onRemove === undefined) return shown;
  const menu = roleMenuColumn<Member>((member) => ({
    name: member.email,
    role: member.role,
    remove: member.groupRole === undefined ? "Remove from team…" : "Remove direct role…",
    removalRefusal: removalRefusal(member),
    onRole: (role) => onRole(member, role),
    onRemove: () => onRemove(member),
  }));
  return [...shown, menu];
}

function mailOf({ email }: Member) {
  return <span title={email}>{email}</span>;
}
