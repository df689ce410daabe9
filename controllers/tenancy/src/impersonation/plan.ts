import { kubernetesUserOf, type PolicyRule, teamGroup } from "@butler/access";
import type { Team, User } from "@butler/api";
import { isBeingDeleted, type KubeObject, rbacGroup } from "@butler/resource";
import { peopleRoleName } from "./names.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly users: readonly User[];
  readonly teams: readonly Team[];
}

/** The role as it should be. */
export type PeopleRole = KubeObject & { readonly rules: readonly PolicyRule[] };

/** The role, and how many names it has no room for. */
export interface PeoplePlan {
  readonly role: PeopleRole;
  readonly leftOut: number;
}

const roles = ["admin", "operator", "viewer"] as const;

/** What names may take up together. The store of Kubernetes refuses an object at one and a half million bytes. */
const roomBytes = 1_200_000;

/** What each name takes up beside its letters. */
const nameBytes = 4;

/**
 * The ClusterRole with everybody whom Butler's server may act as: people with an account that is open to them, and the
 * groups of teams. Whoever takes the server over can be one of those, and neither Kubernetes itself nor anybody else. When
 * there are more than one object can hold, some are left out: were nothing written, those who are to go would stay.
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
    // Its labels are those of the chart, which brings it without rules.
    metadata: { name: peopleRoleName },
    rules: [...mayActAs("users", people), ...mayActAs("groups", groups)],
  };
}

/** How many names the role holds. */
export function namesIn({ rules }: PeopleRole): number {
  return rules.reduce((total, { resourceNames = [] }) => total + resourceNames.length, 0);
}

/** What a change of an account can change in the role. */
export function traceOf({ metadata, spec }: User): string {
  return JSON.stringify([spec.email, spec.disabled, metadata.deletionTimestamp !== undefined]);
}

/**
 * The names of people who are let in. Addresses are unique; where some are not from before they were, an account that is
 * closed closes them all.
 */
function peopleIn(users: readonly User[]): string[] {
  const nameOf = ({ spec }: User): string[] => [kubernetesUserOf(spec.email)].filter((name) => name !== undefined);
  const isClosed = (user: User): boolean => user.spec.disabled;
  const closed = new Set(users.filter(isClosed).flatMap(nameOf));
  const open = users.filter((user) => !isClosed(user) && !isBeingDeleted(user)).flatMap(nameOf);
  return open.filter((name) => !closed.has(name));
}

/** A rule without names would be one for every name there is, so that for nobody there must be no rule at all. */
function mayActAs(resource: "users" | "groups", resourceNames: readonly string[]): PolicyRule[] {
  if (resourceNames.length === 0) return [];
  return [{ apiGroups: [""], resources: [resource], verbs: ["impersonate"], resourceNames }];
}

function inOrder(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** The first names that there is room for. */
function fitting(names: readonly string[], bytes: number): readonly string[] {
  let taken = 0;
  const end = names.findIndex((name) => (taken += sizeOf([name])) > bytes);
  return end < 0 ? names : names.slice(0, end);
}

function sizeOf(names: readonly string[]): number {
  return names.reduce((total, name) => total + Buffer.byteLength(name) + nameBytes, 0);
}
