import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useLiveList } from "../../data/live.tsx";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { type Me, type TeamView, teamQuery, useMe } from "../../session/me.ts";
import { rolesOf, type UserRoles } from "../../session/user-roles.ts";

/** The current team and the roles of the user in it. */
export interface TeamHere {
  readonly team: string;
  /** Current state, including changes made on the page. */
  readonly view: TeamView;
  readonly me: Me;
  readonly roles: UserRoles;
}

/** The current team. Use only below the route that loads it. */
export function useTeam(): TeamHere {
  const { team = "" } = useParams({ strict: false });
  const me = useMe();
  const { data: view } = useSuspenseQuery(teamQuery(team));
  return { team, view, me, roles: rolesOf(me, team) };
}

/** The clusters of a team, live. */
export function useTeamClusters(team: string) {
  return useLiveList<ClusterView>("clusters", { team });
}
