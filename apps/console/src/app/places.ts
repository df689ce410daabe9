import { listTeamAudit, type Permission } from "@butler/contract";
import type { IconName } from "@butler/ui";

type AdminPlace =
  | "audit"
  | "catalog"
  | "clusters"
  | "control-planes"
  | "identity"
  | "networks"
  | "policies"
  | "providers"
  | "settings"
  | "teams"
  | "users";

/** A destination in the rail and the palette. A new page adds a line here. */
export interface Place {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly to:
    | "/t/$team"
    | "/t/$team/clusters"
    | "/t/$team/catalog"
    | "/t/$team/members"
    | "/t/$team/environments"
    | "/t/$team/usage"
    | "/t/$team/activity"
    | "/t/$team/settings"
    | "/admin"
    | `/admin/${AdminPlace}`;
  /** Whether it belongs to a team or to the platform. */
  readonly area: "team" | "platform";
  /** Key sequence that opens it. */
  readonly keys?: string;
  /** Permission required to see it, if stricter than for the area. */
  readonly permission?: Permission;
}

/** The places, in the order of the rail. Where a team and the platform share a key, the platform uses Shift. */
export const places: readonly Place[] = [
  { id: "overview", label: "Overview", icon: "overview", to: "/t/$team", area: "team", keys: "g o" },
  { id: "clusters", label: "Clusters", icon: "clusters", to: "/t/$team/clusters", area: "team", keys: "g c" },
  { id: "catalog", label: "Catalog", icon: "addons", to: "/t/$team/catalog", area: "team", keys: "g k" },
  {
    id: "environments",
    label: "Environments",
    icon: "network",
    to: "/t/$team/environments",
    area: "team",
    keys: "g e",
  },
  { id: "usage", label: "Usage", icon: "provider", to: "/t/$team/usage", area: "team", keys: "g u" },
  { id: "members", label: "Members", icon: "team", to: "/t/$team/members", area: "team", keys: "g m" },
  {
    id: "activity",
    label: "Activity",
    icon: "activity",
    to: "/t/$team/activity",
    area: "team",
    keys: "g a",
    permission: listTeamAudit.permission,
  },
  { id: "settings", label: "Settings", icon: "settings", to: "/t/$team/settings", area: "team", keys: "g s" },
  { id: "fleet", label: "Fleet", icon: "fleet", to: "/admin", area: "platform", keys: "g f" },
  {
    id: "all-clusters",
    label: "All clusters",
    icon: "clusters",
    to: "/admin/clusters",
    area: "platform",
    keys: "g C",
  },
  {
    id: "control-planes",
    label: "Control planes",
    icon: "terminal",
    to: "/admin/control-planes",
    area: "platform",
    keys: "g h",
  },
  { id: "providers", label: "Providers", icon: "provider", to: "/admin/providers", area: "platform", keys: "g p" },
  { id: "networks", label: "Networks", icon: "network", to: "/admin/networks", area: "platform", keys: "g n" },
  { id: "all-teams", label: "Teams", icon: "team", to: "/admin/teams", area: "platform", keys: "g t" },
  { id: "users", label: "Users", icon: "identity", to: "/admin/users", area: "platform", keys: "g U" },
  { id: "identity", label: "Identity", icon: "check", to: "/admin/identity", area: "platform", keys: "g i" },
  {
    id: "all-add-ons",
    label: "Catalog",
    icon: "addons",
    to: "/admin/catalog",
    area: "platform",
    keys: "g K",
  },
  { id: "policies", label: "Policies", icon: "shield", to: "/admin/policies", area: "platform", keys: "g y" },
  { id: "audit-log", label: "Audit log", icon: "activity", to: "/admin/audit", area: "platform", keys: "g A" },
  {
    id: "platform-settings",
    label: "Settings",
    icon: "settings",
    to: "/admin/settings",
    area: "platform",
    keys: "g S",
  },
];
