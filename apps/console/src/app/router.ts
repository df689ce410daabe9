import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { accountRoutes } from "../pages/account/routes.ts";
import { adminRoutes } from "../pages/admin/routes.ts";
import { catalogRoute } from "../pages/catalog/routes.ts";
import { clusterRoutes } from "../pages/cluster/routes.ts";
import { adminClustersRoute, clustersRoute } from "../pages/clusters/routes.ts";
import { deviceRoute } from "../pages/device/routes.ts";
import { homeRoute, teamsRoute } from "../pages/home/routes.ts";
import { newClusterRoute } from "../pages/new-cluster/routes.ts";
import { signInRoutes } from "../pages/sign-in/routes.ts";
import { teamAreaRoutes } from "../pages/team/routes.ts";
import { adminRoute, publicRoute, rootRoute, signedInRoute, teamRoute } from "./layouts.ts";
import { PageFailed, PageMissing, PagePending } from "./page-states.tsx";

/** The route tree. A new page adds its routes here and its place in places.ts. */
const routeTree = rootRoute.addChildren([
  publicRoute.addChildren(signInRoutes),
  signedInRoute.addChildren([
    homeRoute,
    teamsRoute,
    deviceRoute,
    accountRoutes,
    teamRoute.addChildren([...teamAreaRoutes, clustersRoute, newClusterRoute, clusterRoutes, catalogRoute]),
    adminRoute.addChildren([adminClustersRoute, ...adminRoutes]),
  ]),
]);

/** Creates the router. Pages are preloaded on hover and focus. */
export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: PageMissing,
    defaultPendingComponent: PagePending,
    scrollRestoration: true,
  });
}

/** Fetches the code of the current page while the session is still being checked. */
export function fetchPage(router: ReturnType<typeof createConsoleRouter>): void {
  const matches: readonly { readonly routeId: keyof typeof router.routesById }[] = router.matchRoutes(
    router.latestLocation,
  );
  for (const { routeId } of matches) {
    // The page reports a failed fetch itself, and retries it.
    router.loadRouteChunk(router.routesById[routeId])?.catch(() => undefined);
  }
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
