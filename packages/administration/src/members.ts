import { isSameEmail } from "@butler/access";
import { effectiveRole, type Team, type TeamRole } from "@butler/api";
import { AlreadyExists } from "@butler/kube";
import { Conflict, NotFound } from "@butler/std";

type Access = Team["spec"]["access"];

/** A merge patch of a Team. */
export interface TeamPatch extends Readonly<Record<string, unknown>> {
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The patch that adds a member to a team. */
export function planAddMember({ spec }: Team, email: string, role: TeamRole): TeamPatch {
  const users = spec.access.users ?? [];
  if (users.some(({ name }) => isSameEmail(name, email))) {
    throw new AlreadyExists(`${email} is already in the team`, { hint: "Change the member's role instead." });
  }
  return accessPatch(spec.access, { users: [...users, { name: email.trim().toLowerCase(), role }] });
}

/** The patch that changes the role of a member. */
export function planChangeMember(team: Team, email: string, role: TeamRole): TeamPatch {
  const users = requireMember(team, email);
  return lastAdminKept(team, {
    users: users.map((user) => (isSameEmail(user.name, email) ? { ...user, role } : user)),
  });
}

/** The patch that removes a member from a team and its environments. */
export function planRemoveMember(team: Team, email: string): TeamPatch {
  const users = requireMember(team, email).filter(({ name }) => !isSameEmail(name, email));
  const { spec } = lastAdminKept(team, { users });
  const environments = team.spec.environments?.map((environment) => ({
    ...environment,
    ...(environment.access === undefined
      ? {}
      : {
          access: {
            ...environment.access,
            users: (environment.access.users ?? []).filter(({ name }) => !isSameEmail(name, email)),
          },
        }),
  }));
  return { spec: { ...spec, ...(environments === undefined ? {} : { environments }) } };
}

function requireMember({ metadata, spec }: Team, email: string): NonNullable<Access["users"]> {
  const users = spec.access.users ?? [];
  if (users.some(({ name }) => isSameEmail(name, email))) return users;
  throw new NotFound(`${email} is not a direct member of team ${metadata.name}`, {
    hint: "To remove a user who is in the team through a group, remove the user from that group.",
  });
}

/**
 * The patch of a team's access. Throws if it removes the last admin: only platform administrators could fix such a
 * team.
 */
export function lastAdminKept({ metadata, spec }: Team, change: Partial<Access>): TeamPatch {
  const after = { ...spec.access, ...change };
  const hasAdmin = ({ users = [], groups = [] }: Access): boolean =>
    [...users, ...groups].some(({ role }) => effectiveRole(role) === "admin");
  if (hasAdmin(spec.access) && !hasAdmin(after)) {
    throw new Conflict(`team ${metadata.name} must keep at least one admin`, {
      hint: "Make another member an admin first.",
    });
  }
  return accessPatch(spec.access, change);
}

/** The patch of a team's access, unchecked. */
export function accessPatch(access: Access, change: Partial<Access>): TeamPatch {
  return { spec: { access: { ...access, ...change } } };
}
