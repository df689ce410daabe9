import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { teamRoute } from "../../app/layouts.ts";
import { type SearchInput, wordParam } from "../../data/search-params.ts";
import { type StepId, stepIds } from "./step-list.ts";

/** The route of the wizard. */
export const newClusterRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "clusters/new",
  staticData: { crumb: "New", above: { crumb: "Clusters", to: "/t/$team/clusters" } },
  validateSearch: newClusterSearch,
  component: lazyRouteComponent(() => import("./new-cluster.page.tsx"), "NewClusterPage"),
});

/** Current step and view of the wizard, as kept in the URL. */
interface NewClusterSearch {
  readonly step?: StepId | undefined;
  readonly view?: "yaml" | undefined;
}

/** Parses the search parameters of the wizard. */
function newClusterSearch(search: SearchInput): NewClusterSearch {
  return { ...wordParam(search, "step", stepIds), ...wordParam(search, "view", ["yaml"]) };
}
