import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { teamRoute } from "../../app/layouts.ts";
import { catalogueSearch } from "./catalogue-search.ts";

/** The add-on catalogue of a team. */
export const catalogueRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "catalogue",
  staticData: { crumb: "Catalogue" },
  validateSearch: catalogueSearch,
  component: lazyRouteComponent(() => import("./catalogue.page.tsx"), "CataloguePage"),
});
