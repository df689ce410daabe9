import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { adminRoute } from "../../app/layouts.ts";
import { textParam } from "../../data/search-params.ts";
import { auditSearch } from "./audit/audit-search.ts";
import { listSearch } from "./shared/list-search.ts";

const getParentRoute = () => adminRoute;

const fleetRoute = createRoute({
  getParentRoute,
  path: "/",
  staticData: { crumb: "Fleet" },
  component: lazyRouteComponent(() => import("./fleet/fleet.page.tsx"), "FleetPage"),
});

const controlPlanesRoute = createRoute({
  getParentRoute,
  path: "control-planes",
  staticData: { crumb: "Control planes" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./control-planes/control-planes.page.tsx"), "ControlPlanesPage"),
});

const providersRoute = createRoute({
  getParentRoute,
  path: "providers",
  staticData: { crumb: "Providers" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./providers/providers.page.tsx"), "ProvidersPage"),
});

const networksRoute = createRoute({
  getParentRoute,
  path: "networks",
  staticData: { crumb: "Networks" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./networks/networks.page.tsx"), "NetworksPage"),
});

const networkRoute = createRoute({
  getParentRoute,
  path: "networks/$namespace/$name",
  staticData: { crumb: "$name", above: { crumb: "Networks", to: "/admin/networks" } },
  validateSearch: (search: Record<string, unknown>): { readonly zoom?: string | undefined } =>
    textParam(search, "zoom"),
  component: lazyRouteComponent(() => import("./networks/network.page.tsx"), "NetworkPage"),
});

const teamsRoute = createRoute({
  getParentRoute,
  path: "teams",
  staticData: { crumb: "Teams" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./teams/teams.page.tsx"), "AllTeamsPage"),
});

const usersRoute = createRoute({
  getParentRoute,
  path: "users",
  staticData: { crumb: "Users" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./users/users.page.tsx"), "UsersPage"),
});

const identityRoute = createRoute({
  getParentRoute,
  path: "identity",
  staticData: { crumb: "Identity providers" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./identity/identity.page.tsx"), "IdentityPage"),
});

const catalogRoute = createRoute({
  getParentRoute,
  path: "catalog",
  staticData: { crumb: "Catalog" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./catalog/catalog.page.tsx"), "CatalogPage"),
});

const policiesRoute = createRoute({
  getParentRoute,
  path: "policies",
  staticData: { crumb: "Policies" },
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("./policies/policies.page.tsx"), "PoliciesPage"),
});

const auditRoute = createRoute({
  getParentRoute,
  path: "audit",
  staticData: { crumb: "Audit log" },
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./audit/audit.page.tsx"), "AuditPage"),
});

const settingsRoute = createRoute({
  getParentRoute,
  path: "settings",
  staticData: { crumb: "Settings" },
  component: lazyRouteComponent(() => import("./settings/settings.page.tsx"), "SettingsPage"),
});

/** All platform pages except the cluster list. */
export const adminRoutes = [
  fleetRoute,
  controlPlanesRoute,
  providersRoute,
  networksRoute,
  networkRoute,
  teamsRoute,
  usersRoute,
  identityRoute,
  catalogRoute,
  policiesRoute,
  auditRoute,
  settingsRoute,
] as const;
