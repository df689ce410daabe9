import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { teamRoute } from "../../app/layouts.ts";
import { textParam, wordParam } from "../../data/search-params.ts";
import { auditSearch } from "./audit.ts";
import type { MembersSelection } from "./members.ts";

const dashboardRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./dashboard.page.tsx"), "DashboardPage"),
});

const people = createRoute({
  getParentRoute: () => teamRoute,
  path: "members",
  staticData: { crumb: "Members" },
  component: lazyRouteComponent(() => import("./members-frame.page.tsx"), "MembersFrame"),
});

const membersRoute = createRoute({
  getParentRoute: () => people,
  path: "/",
  validateSearch: (search: Record<string, unknown>): MembersSelection => ({
    ...textParam(search, "q"),
    ...wordParam(search, "role", ["viewer", "operator", "admin"]),
  }),
  component: lazyRouteComponent(() => import("./members.page.tsx"), "MembersPage"),
});

const groupsRoute = createRoute({
  getParentRoute: () => people,
  path: "groups",
  staticData: { crumb: "Groups" },
  component: lazyRouteComponent(() => import("./groups.page.tsx"), "GroupsPage"),
});

const environmentsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "environments",
  staticData: { crumb: "Environments" },
  /** The open form: `edit` names an environment, `make` opens the form for a new one. */
  validateSearch: (search: Record<string, unknown>) => ({
    ...textParam(search, "edit"),
    ...wordParam(search, "open", ["make"]),
  }),
  component: lazyRouteComponent(() => import("./environments.page.tsx"), "EnvironmentsPage"),
});

const usageRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "usage",
  staticData: { crumb: "Usage" },
  component: lazyRouteComponent(() => import("./usage.page.tsx"), "UsagePage"),
});

const activityRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "activity",
  staticData: { crumb: "Activity" },
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./activity.page.tsx"), "ActivityPage"),
});

const settingsRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "settings",
  staticData: { crumb: "Settings" },
  component: lazyRouteComponent(() => import("./settings.page.tsx"), "SettingsPage"),
});

/** The pages of a team: overview, members, environments, usage, activity and settings. */
export const teamAreaRoutes = [
  dashboardRoute,
  people.addChildren([membersRoute, groupsRoute]),
  environmentsRoute,
  usageRoute,
  activityRoute,
  settingsRoute,
] as const;
