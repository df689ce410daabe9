import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { signedInRoute } from "../../app/layouts.ts";

/** The home page redirects to the user's only team, to the list of teams, or to the platform. */
export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  beforeLoad: ({ context: { me } }) => {
    const [first, second] = me.teams;
    if (first !== undefined && second === undefined) {
      return redirect({ to: "/t/$team", params: { team: first.name }, throw: true });
    }
    const isOfPlatform = first === undefined && me.platformRole !== undefined;
    return redirect({ to: isOfPlatform ? "/admin/clusters" : "/teams", throw: true });
  },
});

/** All teams of the user. */
export const teamsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "teams",
  staticData: { crumb: "Teams" },
  component: lazyRouteComponent(() => import("./teams.page.tsx"), "TeamsPage"),
});
