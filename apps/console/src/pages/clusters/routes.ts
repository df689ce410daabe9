import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { adminRoute, teamRoute } from "../../app/layouts.ts";
import { followEarly } from "../../data/early-live.ts";
import { clustersSearch } from "./search.ts";

/** The clusters of a team. */
export const clustersRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "clusters",
  staticData: { crumb: "Clusters" },
  validateSearch: clustersSearch,
  loader: ({ context: { queries }, params: { team }, cause }) => {
    if (cause === "enter") followEarly(queries, "clusters", { team, isBrief: true });
  },
  component: lazyRouteComponent(() => import("./clusters.page.tsx"), "ClustersPage"),
});

/** The clusters of all teams. */
export const adminClustersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "clusters",
  staticData: { crumb: "All clusters" },
  validateSearch: clustersSearch,
  loader: ({ context: { queries }, cause }) => {
    if (cause === "enter") followEarly(queries, "clusters", { isBrief: true });
  },
  component: lazyRouteComponent(() => import("./clusters.page.tsx"), "AllClustersPage"),
});
