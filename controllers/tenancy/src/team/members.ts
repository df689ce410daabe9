import { isReservedGroup, teamGroup } from "@butler/access";
import { effectiveRole, type Team, type TeamRole } from "@butler/api";
import { rbacGroup } from "@butler/resource";
import { teamRoles } from "./names.ts";

/** Somebody in a RoleBinding. */
export interface Subject {
  readonly apiGroup: typeof rbacGroup;
  readonly kind: "User" | "Group";
  readonly name: string;
}

/**
 * Everybody who has a role, in an order that does not depend on that of the team's lists, and the group that Butler's
 * server puts those into for whom it has found that role.
 */
export interface RoleSubjects {
  readonly role: TeamRole;
  readonly subjects: readonly Subject[];
}

type Access = Team["spec"]["access"];
type Group = NonNullable<Access["groups"]>[number];

/** A person or group with the role that one list gives them. */
interface Grant {
  readonly kind: Subject["kind"];
  readonly name: string;
  readonly role: TeamRole;
}

/**
 * Who has which role in a team's own namespace. Kubernetes cannot limit a role to objects with a label, so somebody who
 * has a role only in an environment is a viewer here, whatever that role is; the rest of it they get in the namespaces of
 * that environment's clusters.
 */
export function teamNamespaceBindings({ metadata, spec }: Team): RoleSubjects[] {
  const ofEnvironments = (spec.environments ?? []).flatMap(({ access }) => grantsOf(access));
  return bindingsOf(metadata.name, [
    ...grantsOf(spec.access),
    ...ofEnvironments.map((grant) => ({ ...grant, role: "viewer" as const })),
  ]);
}

/** Who has which role in the namespace of a cluster's machines and control plane: an environment adds to the team. */
export function tenantNamespaceBindings({ metadata, spec }: Team, environment: string | undefined): RoleSubjects[] {
  const inEnvironment = spec.environments?.find(({ name }) => name === environment);
  return bindingsOf(metadata.name, [...grantsOf(spec.access), ...grantsOf(inEnvironment?.access)]);
}

/**
 * Groups that count for sign-ins through one identity provider only. A RoleBinding cannot say so and would let in a
 * group of the same name from anywhere, so these have their role through Butler's own API alone.
 */
export function groupsWithoutBinding(team: Team): string[] {
  return groupNames(team, (group) => isTiedToProvider(group) && !isReservedGroup(group.name));
}

/** Groups that count for nothing, because only Kubernetes or Butler may put anybody into groups of such a name. */
export function groupsIgnored(team: Team): string[] {
  return groupNames(team, ({ name }) => isReservedGroup(name));
}

function groupNames({ spec }: Team, isMeant: (group: Group) => boolean): string[] {
  const everywhere = [spec.access, ...(spec.environments ?? []).map(({ access }) => access)];
  const groups = everywhere.flatMap((access) => access?.groups ?? []).filter(isMeant);
  return [...new Set(groups.map(({ name }) => name))].sort();
}

/** How many different people a team names, in itself and in its environments. */
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

/** Everybody is bound once, with the highest role that anything gives them. */
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

/** People are told apart without regard to case, groups exactly. */
function identityOf({ kind, name }: Grant): string {
  return kind === "User" ? `User ${canonicalEmail(name)}` : `Group ${name}`;
}

/** Kubernetes compares names letter by letter, so a person is bound as the team spells them and in lower case. */
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
