/** The role that opens the page. */
export type Visitor = "anybody" | "platform-admin" | "team-admin";

/** A page in a state to be reviewed. */
export interface Visit {
  /** Name of its screenshots. */
  readonly name: string;
  /** The route with its path parameters. */
  readonly route: string;
  readonly as: Visitor;
  /** Path parameters that override those of the place. */
  readonly params?: Readonly<Record<string, string>>;
  /** Search string. */
  readonly search?: string;
}

/** The team and cluster of the visits. */
export interface VisitPlace {
  readonly team: string;
  readonly cluster: string;
  /** Token of a pending invitation. */
  readonly token: string;
}

const cluster = "/t/$team/clusters/$namespace/$name";
const pool = { namespace: "butler-system", name: "datacenter" };

/** Every page and every state reachable by URL. A test compares them with the router. */
export const visits: readonly Visit[] = [
  { name: "sign-in", route: "/sign-in", as: "anybody" },
  { name: "sign-in-failed", route: "/sign-in", as: "anybody", search: "?error=access_denied" },
  { name: "setup", route: "/setup", as: "anybody" },
  { name: "invitation", route: "/invite/$token", as: "anybody" },
  { name: "invitation-over", route: "/invite/$token", as: "anybody", params: { token: "no-longer" } },
  { name: "reset", route: "/reset-password", as: "anybody" },

  { name: "home", route: "/", as: "team-admin" },
  { name: "teams", route: "/teams", as: "team-admin" },
  { name: "device", route: "/auth/device", as: "team-admin" },
  { name: "device-code", route: "/auth/device", as: "team-admin", search: "?user_code=BCDF-GHJK" },
  { name: "account-sessions", route: "/account", as: "team-admin" },
  { name: "account-command-lines", route: "/account/command-lines", as: "team-admin" },
  { name: "account-password", route: "/account/password", as: "team-admin" },

  { name: "team", route: "/t/$team", as: "team-admin" },
  { name: "team-members", route: "/t/$team/members", as: "team-admin" },
  { name: "team-groups", route: "/t/$team/members/groups", as: "team-admin" },
  { name: "team-environments", route: "/t/$team/environments", as: "team-admin" },
  { name: "team-environment-new", route: "/t/$team/environments", as: "team-admin", search: "?open=make" },
  { name: "team-usage", route: "/t/$team/usage", as: "team-admin" },
  { name: "team-activity", route: "/t/$team/activity", as: "team-admin" },
  { name: "team-settings", route: "/t/$team/settings", as: "team-admin" },
  { name: "team-catalog", route: "/t/$team/catalog", as: "team-admin" },
  { name: "team-catalog-entry", route: "/t/$team/catalog", as: "team-admin", search: "?entry=cert-manager" },
  { name: "team-catalog-strange", route: "/t/$team/catalog", as: "team-admin", search: "?entry=strange-addon" },

  { name: "clusters", route: "/t/$team/clusters", as: "team-admin" },
  { name: "clusters-none", route: "/t/$team/clusters", as: "team-admin", search: "?q=nothing-is-called-this" },
  { name: "new-cluster", route: "/t/$team/clusters/new", as: "team-admin" },
  ...(["version", "pools", "network", "addons", "review"] as const).map((step): Visit => ({
    name: `new-cluster-${step}`,
    route: "/t/$team/clusters/new",
    as: "team-admin",
    search: `?step=${step}`,
  })),
  { name: "new-cluster-yaml", route: "/t/$team/clusters/new", as: "team-admin", search: "?view=yaml" },
  { name: "cluster", route: cluster, as: "team-admin" },
  { name: "cluster-nodes", route: `${cluster}/nodes`, as: "team-admin" },
  { name: "cluster-addons", route: `${cluster}/addons`, as: "team-admin" },
  { name: "cluster-addons-enable", route: `${cluster}/addons`, as: "team-admin", search: "?enable=-" },
  { name: "cluster-addons-form", route: `${cluster}/addons`, as: "team-admin", search: "?enable=keda" },
  { name: "cluster-addresses", route: `${cluster}/addresses`, as: "team-admin" },
  { name: "cluster-certificates", route: `${cluster}/certificates`, as: "team-admin" },
  { name: "cluster-certificates-rotate", route: `${cluster}/certificates`, as: "team-admin", search: "?rotate=yes" },
  { name: "cluster-events", route: `${cluster}/events`, as: "team-admin" },
  { name: "cluster-terminal", route: `${cluster}/terminal`, as: "team-admin" },
  { name: "cluster-settings", route: `${cluster}/settings`, as: "team-admin" },
  { name: "cluster-missing", route: cluster, as: "team-admin", params: { name: "not-there" } },

  { name: "admin-fleet", route: "/admin", as: "platform-admin" },
  { name: "admin-clusters", route: "/admin/clusters", as: "platform-admin" },
  { name: "admin-control-planes", route: "/admin/control-planes", as: "platform-admin" },
  { name: "admin-providers", route: "/admin/providers", as: "platform-admin" },
  {
    name: "admin-provider",
    route: "/admin/providers",
    as: "platform-admin",
    search: "?open=butler-system%2Fproxmox-lab",
  },
  { name: "admin-networks", route: "/admin/networks", as: "platform-admin" },
  { name: "admin-network", route: "/admin/networks/$namespace/$name", as: "platform-admin", params: pool },
  { name: "admin-teams", route: "/admin/teams", as: "platform-admin" },
  { name: "admin-team", route: "/admin/teams", as: "platform-admin", search: "?open=oddities" },
  { name: "admin-users", route: "/admin/users", as: "platform-admin" },
  { name: "admin-user", route: "/admin/users", as: "platform-admin", search: "?open=linus" },
  { name: "admin-identity", route: "/admin/identity", as: "platform-admin" },
  { name: "admin-identity-open", route: "/admin/identity", as: "platform-admin", search: "?open=strange-provider" },
  { name: "admin-catalog", route: "/admin/catalog", as: "platform-admin" },
  { name: "admin-catalog-open", route: "/admin/catalog", as: "platform-admin", search: "?open=strange-addon" },
  { name: "admin-policies", route: "/admin/policies", as: "platform-admin" },
  { name: "admin-policy", route: "/admin/policies", as: "platform-admin", search: "?open=strange-advice" },
  { name: "admin-audit", route: "/admin/audit", as: "platform-admin" },
  { name: "admin-settings", route: "/admin/settings", as: "platform-admin" },
];

/** The URL of a visit. */
export function addressOf({ route, params = {}, search = "" }: Visit, place: VisitPlace): string {
  const own = { team: place.team, namespace: place.team, name: place.cluster, token: place.token, ...params };
  const values: Readonly<Record<string, string>> = own;
  return route.replaceAll(/\$(\w+)/g, (_whole, name: string) => encodeURIComponent(values[name] ?? "")) + search;
}
