import type { TeamRole } from "@butler/api";
import { Button, type Column, Icon, Menu } from "@butler/ui";
import { roleWord, teamRoles } from "../../parts/roles.ts";

/** Props of the role menu. */
interface RoleMenuProps {
  /** Name of the member or group. */
  readonly name: string;
  readonly role: TeamRole;
  readonly remove: string;
  /** Why it cannot be removed. */
  readonly removalRefusal?: string | undefined;
  readonly onRole: (role: TeamRole) => void;
  readonly onRemove: () => void;
}

/** Row menu to change or remove a role. */
function RoleMenu({ name, role: current, remove, removalRefusal, onRole, onRemove }: RoleMenuProps) {
  const roles = teamRoles.map(({ role, word, sentence }) => ({
    id: role,
    label: word,
    aside: sentence,
    isChosen: role === current,
    onSelect: () => role !== current && onRole(role),
  }));
  const removal = {
    id: "remove",
    label: remove,
    kind: "danger" as const,
    onSelect: onRemove,
    ...(removalRefusal !== undefined && { refusal: removalRefusal }),
  };
  return (
    <Menu
      trigger={
        <Button kind="quiet" shape="square" aria-label={`Change ${name}`}>
          <Icon name="more" />
        </Button>
      }
      groups={[{ label: "Role", items: roles }, { items: [removal] }]}
    />
  );
}

/** The column with the role of a member or group. */
export const roleColumn: Column<{ readonly role: TeamRole }> = {
  id: "role",
  header: "Role",
  width: "92px",
  isNarrow: true,
  sortBy: ({ role }) => role,
  cell: ({ role }) => roleWord(role),
};

/** The column with the menus of a list. */
export function roleMenuColumn<Row>(propsOf: (row: Row) => RoleMenuProps): Column<Row> {
  return {
    id: "menu",
    header: "",
    width: "44px",
    align: "end",
    isButton: true,
    isNarrow: true,
    cell: (row) => <RoleMenu {...propsOf(row)} />,
  };
}
