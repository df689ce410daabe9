import { effectiveRole } from "@butler/api";
import { clusterKubeconfigRoute, createCluster, type Permission } from "@butler/contract";
import type { Me, TeamView } from "../session/me.ts";
import { isAllowed, rolesOf } from "../session/user-roles.ts";

/** The user and team to check. */
export interface OperatingFacts {
  readonly me: Pick<Me, "email" | "teams" | "platformRole">;
  readonly team: Pick<TeamView, "name" | "environments">;
}

/**
 * Whether a user may create and change clusters in the team or one of its environments. Group membership is known only
 * to the server, so where a group has the role, the server decides.
 */
export function mayOperate(facts: OperatingFacts, environment?: string): boolean {
  return mayCall(createCluster, facts, environment);
}

/** Whether a user may get the admin kubeconfig of a cluster in an environment; empty if it is in none. */
export function mayGetKubeconfig(facts: OperatingFacts, environment: string): boolean {
  return mayCall(clusterKubeconfigRoute, facts, environment);
}

function mayCall(
  { permission }: { readonly permission: Permission },
  { me, team }: OperatingFacts,
  environment: string | undefined,
): boolean {
  if (isAllowed({ permission }, rolesOf(me, team.name))) return true;
  // Environment roles apply to team members only.
  if (!me.teams.some(({ name }) => name === team.name)) return false;
  return team.environments
    .filter(({ name }) => environment === undefined || name === environment)
    .some(({ access }) => {
      const named = access?.users?.filter(({ name }) => name.toLowerCase() === me.email.toLowerCase()) ?? [];
      const roles = [...named, ...(access?.groups ?? [])].map(({ role }) => effectiveRole(role));
      return roles.some((teamRole) => isAllowed({ permission }, { teamRole }));
    });
}
