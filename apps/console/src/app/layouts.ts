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

/** What every route is given. */
export interface RouterContext {
  readonly queries: QueryClient;
}

/** Above everything. */
export const rootRoute = createRootRouteWithContext<RouterContext>()();

/** Pages for people who are not signed in: one card in the middle. */
export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "public",
  component: lazyRouteComponent(() => import("./public-frame.tsx"), "PublicFrame"),
});

/** Pages for people who are signed in, inside the frame. Everybody else is sent to sign in, and comes back after it. */
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

/** Everything of one team. The environment that lists are narrowed to stays in the address from page to page. */
export const teamRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "t/$team",
  staticData: { crumb: "$team" },
  validateSearch: (search: Record<string, unknown>): { readonly env?: string | undefined } => textParam(search, "env"),
  search: { middlewares: [retainSearchParams(["env"])] },
  loader: ({ context: { queries }, params: { team } }) => queries.ensureQueryData(teamQuery(team)),
});

/** Everything of the whole platform, for people with a role on it. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "admin",
  component: lazyRouteComponent(() => import("./admin-guard.tsx"), "AdminGuard"),
});

/** Never comes back: the redirect is thrown, as the router wants it. */
function leadToSignIn({ pathname, href, search }: { pathname: string; href: string; search: object }): void {
  const { error } = search as { readonly error?: string };
  const to = pathname === "/" ? undefined : href;
  redirect({ to: "/sign-in", search: { ...(to && { to }), ...(error && { error }) }, throw: true });
}
