import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { teamRoute } from "../../app/layouts.ts";
import { addonsSearch } from "./addons/addons-search.ts";
import { certificatesSearch } from "./certificates/certificates-search.ts";
import { clusterQuery } from "./queries.ts";

const clusterRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "clusters/$namespace/$name",
  staticData: { crumb: "$name", above: { crumb: "Clusters", to: "/t/$team/clusters" } },
  loader: ({ context: { queries }, params: { namespace, name } }) =>
    queries.ensureQueryData(clusterQuery({ namespace, name })),
  component: lazyRouteComponent(() => import("./cluster.page.tsx"), "ClusterPage"),
});

const overviewRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./overview.tab.tsx"), "OverviewTab"),
});

const nodesRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "nodes",
  staticData: { crumb: "Nodes" },
  component: lazyRouteComponent(() => import("./nodes.tab.tsx"), "NodesTab"),
});

const eventsRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "events",
  staticData: { crumb: "Events" },
  component: lazyRouteComponent(() => import("./events.tab.tsx"), "EventsTab"),
});

const addonsRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "addons",
  staticData: { crumb: "Add-ons" },
  validateSearch: addonsSearch,
  component: lazyRouteComponent(() => import("./addons/addons.tab.tsx"), "AddonsTab"),
});

const addressesRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "addresses",
  staticData: { crumb: "Addresses" },
  component: lazyRouteComponent(() => import("./addresses/addresses.tab.tsx"), "AddressesTab"),
});

const certificatesRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "certificates",
  staticData: { crumb: "Certificates" },
  validateSearch: certificatesSearch,
  component: lazyRouteComponent(() => import("./certificates/certificates.tab.tsx"), "CertificatesTab"),
});

const terminalRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "terminal",
  staticData: { crumb: "Terminal" },
  component: lazyRouteComponent(() => import("./terminal/terminal.tab.tsx"), "TerminalTab"),
});

const settingsRoute = createRoute({
  getParentRoute: () => clusterRoute,
  path: "settings",
  staticData: { crumb: "Settings" },
  component: lazyRouteComponent(() => import("./settings/settings.tab.tsx"), "SettingsTab"),
});

/** The cluster page and its tabs. A new tab adds its route here and its link in cluster.page.tsx. */
export const clusterRoutes = clusterRoute.addChildren([
  overviewRoute,
  nodesRoute,
  addonsRoute,
  addressesRoute,
  certificatesRoute,
  eventsRoute,
  terminalRoute,
  settingsRoute,
]);
