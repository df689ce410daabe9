import { getMe, getTeam, listTeams, type RouteAnswer } from "@butler/contract";
import { useSuspenseQuery } from "@tanstack/react-query";
import { routeQuery } from "../data/route-query.ts";

/** Whoever is signed in. */
export type Me = RouteAnswer<typeof getMe>;

/** A team, as whoever may see it sees it. */
export type TeamView = RouteAnswer<typeof getTeam>;

/** Asks who is signed in. */
export const meQuery = routeQuery(getMe, {});

/** Asks for the teams that one can see. */
export const teamsQuery = routeQuery(listTeams, { query: { limit: 500 } });

/** Asks for one team. */
export const teamQuery = (team: string) => routeQuery(getTeam, { params: { team } });

/** Whoever is signed in; only below the route that makes sure of it. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}
