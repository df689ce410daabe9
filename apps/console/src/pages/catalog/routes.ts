import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { teamRoute } from "../../app/layouts.ts";
import { catalogSearch } from "./catalog-search.ts";

/** The add-on catalog of a team. */
export const catalogRoute = createRoute({
  getParentRoute: () => teamRoute,
  path: "catalog",
  staticData: { crumb: "Catalog" },
  validateSearch: catalogSearch,
  component: lazyRouteComponent(() => import("./catalog.page.tsx"), "CatalogPage"),
});
