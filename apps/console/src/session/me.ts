import { getMe, getTeam, listTeams, type RouteAnswer } from "@butler/contract";
import { useSuspenseQuery } from "@tanstack/react-query";
import { routeQuery } from "../data/route-query.ts";

/** The signed-in user. */
export type Me = RouteAnswer<typeof getMe>;

/** A team as the API returns it. */
export type TeamView = RouteAnswer<typeof getTeam>;

/** Fetches the signed-in user. */
export const meQuery = routeQuery(getMe, {});

/** Fetches the teams visible to the user. */
export const teamsQuery = routeQuery(listTeams, { query: { limit: 500 } });

/** Fetches a team. */
export const teamQuery = (team: string) => routeQuery(getTeam, { params: { team } });

/** The signed-in user. Use only below the route that requires sign-in. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}
