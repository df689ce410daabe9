import { isReservedGroup, teamGroup } from "@butler/access";
import { effectiveRole, type Team, type TeamRole } from "@butler/api";
import { rbacGroup } from "@butler/resource";
import { teamRoles } from "./names.ts";

/** A subject of a RoleBinding. */
export interface Subject {
  readonly apiGroup: typeof rbacGroup;
  readonly kind: "User" | "Group";
  readonly name: string;
}

/**
 * All subjects of a role, in an order independent of the team's lists, and the group that Butler's
 * server adds for users with that role.
 */
export interface RoleSubjects {
  readonly role: TeamRole;
  readonly subjects: readonly Subject[];
}

type Access = Team["spec"]["access"];
type Group = NonNullable<Access["groups"]>[number];

/** A user or group with the role from one list. */
interface Grant {
  readonly kind: Subject["kind"];
  readonly name: string;
  readonly role: TeamRole;
}

/**
 * Roles in a team's own namespace. Kubernetes cannot limit a role to objects with a label, so a user who
 * has a role only in an environment is a viewer here, whatever that role is; the full role applies in the namespaces of
 * that environment's clusters.
 */
export function teamNamespaceBindings({ metadata, spec }: Team): RoleSubjects[] {
  const ofEnvironments = (spec.environments ?? []).flatMap(({ access }) => grantsOf(access));
  return bindingsOf(metadata.name, [
    ...grantsOf(spec.access),
    ...ofEnvironments.map((grant) => ({ ...grant, role: "viewer" as const })),
  ]);
}

/** Roles in the namespace of a cluster's machines and control plane: an environment's roles add to the team's. */
export function tenantNamespaceBindings({ metadata, spec }: Team, environment: string | undefined): RoleSubjects[] {
  const inEnvironment = spec.environments?.find(({ name }) => name === environment);
  return bindingsOf(metadata.name, [...grantsOf(spec.access), ...grantsOf(inEnvironment?.access)]);
}

/**
 * Groups that apply to sign-ins through one identity provider only. A RoleBinding cannot express that and would match a
 * group of the same name from any provider, so these have their role through Butler's own API only.
 */
export function groupsWithoutBinding(team: Team): string[] {
  return groupNames(team, (group) => isTiedToProvider(group) && !isReservedGroup(group.name));
}

/** Groups that are ignored because their names are reserved for Kubernetes and Butler. */
export function groupsIgnored(team: Team): string[] {
  return groupNames(team, ({ name }) => isReservedGroup(name));
}

function groupNames({ spec }: Team, isMeant: (group: Group) => boolean): string[] {
  const everywhere = [spec.access, ...(spec.environments ?? []).map(({ access }) => access)];
  const groups = everywhere.flatMap((access) => access?.groups ?? []).filter(isMeant);
  return [...new Set(groups.map(({ name }) => name))].sort();
}

/** Number of distinct users in a team and its environments. */
export function memberCount({ spec }: Team): number {
  const everywhere = [spec.access, ...(spec.environments ?? []).map(({ access }) => access)];
  return new Set(everywhere.flatMap((access) => access?.users ?? []).map(({ name }) => canonicalEmail(name))).size;
}

function grantsOf(access: Access | undefined): Grant[] {
  const users = (access?.users ?? []).map((user) => ({ kind: "User", ...user }) as const);
  const groups = (access?.groups ?? [])
    .filter((group) => !isTiedToProvider(group) && !isReservedGroup(group.name))
    .map((group) => ({ kind: "Group", ...group }) as const);
  return [...users, ...groups]
    .map(({ kind, name, role }) => ({ kind, name: name.trim(), role: effectiveRole(role) }))
    .filter(({ name }) => name !== "");
}

function isTiedToProvider({ identityProvider = "" }: Group): boolean {
  return identityProvider !== "";
}

/** Binds each subject once, with their highest role. */
function bindingsOf(team: string, grants: readonly Grant[]): RoleSubjects[] {
  const highest = new Map<string, TeamRole>();
  for (const grant of grants) {
    const before = highest.get(identityOf(grant));
    if (before === undefined || rankOf(grant.role) > rankOf(before)) highest.set(identityOf(grant), grant.role);
  }
  return teamRoles.map((role) => {
    const holders = grants.filter((grant) => highest.get(identityOf(grant)) === role);
    const ofServer: Subject = { apiGroup: rbacGroup, kind: "Group", name: teamGroup(team, role) };
    const all = [...holders.flatMap(spellingsOf), ofServer];
    const names = new Map(all.map((subject) => [`${subject.kind} ${subject.name}`, subject]));
    return {
      role,
      subjects: [...names].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, subject]) => subject),
    };
  });
}

/** Users are compared case-insensitively, groups exactly. */
function identityOf({ kind, name }: Grant): string {
  return kind === "User" ? `User ${canonicalEmail(name)}` : `Group ${name}`;
}

/** Kubernetes compares names exactly, so a user is bound both as spelled in the team and in lower case. */
function spellingsOf({ kind, name }: Grant): Subject[] {
  const spellings = kind === "User" ? [name, canonicalEmail(name)] : [name];
  return spellings.map((spelling) => ({ apiGroup: rbacGroup, kind, name: spelling }));
}

function canonicalEmail(name: string): string {
  return name.trim().toLowerCase();
}

function rankOf(role: TeamRole): number {
  return teamRoles.indexOf(role);
}
