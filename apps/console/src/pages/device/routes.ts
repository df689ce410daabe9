import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../../app/layouts.ts";
import { textParam } from "../../data/search-params.ts";

/** Where a CLI sends users to approve its sign-in. */
export const deviceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "auth/device",
  staticData: { crumb: "Authorize CLI" },
  validateSearch: (search: Record<string, unknown>): { readonly user_code?: string | undefined } =>
    textParam(search, "user_code"),
  component: lazyRouteComponent(() => import("./device.page.tsx"), "DevicePage"),
});
