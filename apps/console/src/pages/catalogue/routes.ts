import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { teamRoute } from "../../app/layouts.ts";
import { catalogueSearch } from "./catalogue-search.ts";

/** The add-ons that a team can put into its clusters. */
export const catalogueRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "catalogue",
  staticData: { crumb: "Catalogue" },
  validateSearch: catalogueSearch,
  component: lazyRouteComponent(() => import("./catalogue.page.tsx"), "CataloguePage"),
});
