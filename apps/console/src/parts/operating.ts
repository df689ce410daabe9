import { effectiveRole } from "@butler/api";
import { createCluster } from "@butler/contract";
import type { Me, TeamView } from "../session/me.ts";
import { isAllowed, standingOf } from "../session/standing.ts";

/** Whose rights in which team are asked about. */
export interface OperatingFacts {
  readonly me: Pick<Me, "email" | "teams" | "platformRole">;
  readonly team: Pick<TeamView, "name" | "environments">;
}

/**
 * Whether somebody may make and change clusters: in the whole team, or in an environment of it that gives them more. Who
 * is in which group only the server knows, so that where a group may do it, the server is left to decide.
 */
export function mayOperate({ me, team }: OperatingFacts, environment?: string): boolean {
  if (isAllowed(createCluster, standingOf(me, team.name))) return true;
  // Roles in environments are for people of the team; everybody else only looks.
  if (!me.teams.some(({ name }) => name === team.name)) return false;
  return team.environments
    .filter(({ name }) => environment === undefined || name === environment)
    .some(({ access }) => {
      const named = access?.users?.filter(({ name }) => name.toLowerCase() === me.email.toLowerCase()) ?? [];
      return [...named, ...(access?.groups ?? [])].some(({ role }) => effectiveRole(role) !== "viewer");
    });
}
