import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../app/layouts.ts";

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "account",
  staticData: { crumb: "Account" },
  component: lazyRouteComponent(() => import("./account.page.tsx"), "AccountPage"),
});

const sessionsRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./sessions.tab.tsx"), "SessionsTab"),
});

const commandLinesRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "command-lines",
  staticData: { crumb: "CLI sessions" },
  component: lazyRouteComponent(() => import("./command-lines.tab.tsx"), "CommandLinesTab"),
});

const passwordRoute = createRoute({
  getParentRoute: () => accountRoute,
  path: "password",
  staticData: { crumb: "Password" },
  component: lazyRouteComponent(() => import("./password.tab.tsx"), "PasswordTab"),
});

/** The account pages of the signed-in user. */
export const accountRoutes = accountRoute.addChildren([sessionsRoute, commandLinesRoute, passwordRoute]);
