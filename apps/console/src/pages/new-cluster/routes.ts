import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { teamRoute } from "../../app/layouts.ts";
import { newClusterSearch } from "./search.ts";

/** The route of the wizard. */
export const newClusterRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "clusters/new",
  staticData: { crumb: "New", above: { crumb: "Clusters", to: "/t/$team/clusters" } },
  validateSearch: newClusterSearch,
  component: lazyRouteComponent(() => import("./new-cluster.page.tsx"), "NewClusterPage"),
});
