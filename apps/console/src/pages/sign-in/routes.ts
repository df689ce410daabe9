import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { publicRoute } from "../../app/layouts.ts";
import { textParam } from "../../data/search-params.ts";

const signInRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "sign-in",
  validateSearch: (
    search: Record<string, unknown>,
  ): { readonly to?: string | undefined; readonly error?: string | undefined } => ({
    ...textParam(search, "to"),
    ...textParam(search, "error"),
  }),
  component: lazyRouteComponent(() => import("./sign-in.page.tsx"), "SignInPage"),
});

const setupRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "setup",
  component: lazyRouteComponent(() => import("./setup.page.tsx"), "SetupPage"),
});

const invitationRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "invite/$token",
  component: lazyRouteComponent(() => import("./invitation.page.tsx"), "InvitationPage"),
});

const resetRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: "reset-password",
  component: lazyRouteComponent(() => import("./reset.page.tsx"), "ResetPage"),
});

/** Public pages: sign-in, setup, invitation and password reset. */
export const signInRoutes = [signInRoute, setupRoute, invitationRoute, resetRoute] as const;
