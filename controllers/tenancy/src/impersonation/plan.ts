import { kubernetesUserOf, type PolicyRule, teamGroup } from "@butler/access";
import type { Team, User } from "@butler/api";
import { isBeingDeleted, type KubeObject, rbacGroup } from "@butler/resource";
import { peopleRoleName } from "./names.ts";

/** The input of the plan. */
export interface Observed {
  readonly users: readonly User[];
  readonly teams: readonly Team[];
}

/** The desired role. */
export type PeopleRole = KubeObject & { readonly rules: readonly PolicyRule[] };

/** The role, and the number of names that do not fit. */
export interface PeoplePlan {
  readonly role: PeopleRole;
  readonly leftOut: number;
}

const roles = ["admin", "operator", "viewer"] as const;

/** Maximum total size of names. etcd rejects objects of 1.5 MB. */
const roomBytes = 1_200_000;

/** Overhead of each name. */
const nameBytes = 4;

/**
 * The ClusterRole with all users and groups that Butler's server may impersonate: users with an enabled account, and
 * the groups of teams. An attacker who takes over the server can impersonate those, but no system users or groups. When
 * there are more than one object can hold, some are left out: without a write, disabled users would keep access.
 */
export function planPeople({ users, teams }: Observed): PeoplePlan {
  const ofTeams = teams.flatMap(({ metadata }) => roles.map((role) => teamGroup(metadata.name, role)));
  const wanted = { groups: inOrder(ofTeams), people: inOrder(peopleIn(users)) };
  const groups = fitting(wanted.groups, roomBytes);
  const people = fitting(wanted.people, roomBytes - sizeOf(groups));
  const leftOut = wanted.groups.length + wanted.people.length - groups.length - people.length;
  return { role: buildRole(people, groups), leftOut };
}

function buildRole(people: readonly string[], groups: readonly string[]): PeopleRole {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: "ClusterRole",
    // The chart creates it without rules and owns its labels.
    metadata: { name: peopleRoleName },
    rules: [...mayActAs("users", people), ...mayActAs("groups", groups)],
  };
}

/** Number of names in the role. */
export function namesIn({ rules }: PeopleRole): number {
  return rules.reduce((total, { resourceNames = [] }) => total + resourceNames.length, 0);
}

/** The fields of an account that affect the role. */
export function traceOf({ metadata, spec }: User): string {
  return JSON.stringify([spec.email, spec.disabled, metadata.deletionTimestamp !== undefined]);
}

/**
 * The names of users with an enabled account. Addresses are unique; where older accounts share one, a disabled
 * account disables them all.
 */
function peopleIn(users: readonly User[]): string[] {
  const nameOf = ({ spec }: User): string[] => [kubernetesUserOf(spec.email)].filter((name) => name !== undefined);
  const isClosed = (user: User): boolean => user.spec.disabled;
  const closed = new Set(users.filter(isClosed).flatMap(nameOf));
  const open = users.filter((user) => !isClosed(user) && !isBeingDeleted(user)).flatMap(nameOf);
  return open.filter((name) => !closed.has(name));
}

/** A rule without names would match every name, so an empty list needs no rule at all. */
function mayActAs(resource: "users" | "groups", resourceNames: readonly string[]): PolicyRule[] {
  if (resourceNames.length === 0) return [];
  return [{ apiGroups: [""], resources: [resource], verbs: ["impersonate"], resourceNames }];
}

function inOrder(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** The first names that fit. */
function fitting(names: readonly string[], bytes: number): readonly string[] {
  let taken = 0;
  const end = names.findIndex((name) => (taken += sizeOf([name])) > bytes);
  return end < 0 ? names : names.slice(0, end);
}

function sizeOf(names: readonly string[]): number {
  return names.reduce((total, name) => total + Buffer.byteLength(name) + nameBytes, 0);
}
