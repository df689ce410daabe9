import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { beginLive } from "../data/early-live.ts";
import { isSignedOut } from "../data/error-facts.ts";
import { textParam } from "../data/search-params.ts";
import { meQuery, teamQuery } from "../session/me.ts";

/** Context of every route. */
export interface RouterContext {
  readonly queries: QueryClient;
}

/** Root of the route tree. */
export const rootRoute = createRootRouteWithContext<RouterContext>()();

/** Pages for signed-out users: one centered card. */
export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "public",
  component: lazyRouteComponent(() => import("./public-frame.tsx"), "PublicFrame"),
});

/** Pages for signed-in users, inside the shell. Redirects others to the sign-in page, which returns them afterwards. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: async ({ context: { queries }, location }) => {
    beginLive(queries);
    try {
      return { me: await queries.ensureQueryData(meQuery) };
    } catch (error) {
      if (isSignedOut(error)) leadToSignIn(location);
      throw error;
    }
  },
  component: lazyRouteComponent(() => import("./shell/shell.tsx"), "Shell"),
});

/** Pages of one team. The environment filter stays in the URL from page to page. */
export const teamRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "t/$team",
  staticData: { crumb: "$team" },
  validateSearch: (search: Record<string, unknown>): { readonly env?: string | undefined } => textParam(search, "env"),
  search: { middlewares: [retainSearchParams(["env"])] },
  loader: ({ context: { queries }, params: { team } }) => queries.ensureQueryData(teamQuery(team)),
});

/** Pages of the platform, for users with a platform role. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "admin",
  component: lazyRouteComponent(() => import("./admin-guard.tsx"), "AdminGuard"),
});

/** Never returns: the redirect is thrown, as the router requires. */
function leadToSignIn({ pathname, href, search }: { pathname: string; href: string; search: object }): void {
  const { error } = search as { readonly error?: string };
  const to = pathname === "/" ? undefined : href;
  redirect({ to: "/sign-in", search: { ...(to && { to }), ...(error && { error }) }, throw: true });
}
