import { accessPatch, lastAdminKept } from "@butler/administration";
import type { Team, TeamRole } from "@butler/api";
import { RouteProblem } from "../http/problem.ts";

type Access = Team["spec"]["access"];
type Environment = NonNullable<Team["spec"]["environments"]>[number];
type Patch = Readonly<Record<string, unknown>>;

/** Identifies a group of a team. */
export interface GroupName {
  readonly name: string;
  readonly identityProvider?: string | undefined;
}

const isGroup =
  ({ name, identityProvider = "" }: GroupName) =>
  (group: NonNullable<Access["groups"]>[number]): boolean =>
    group.name === name && (identityProvider === "" || group.identityProvider === identityProvider);

/**
 * Names with these prefixes are reserved by Kubernetes and Butler. As a team's group, one of them could grant access to
 * every authenticated Kubernetes user.
 */
function requireGroupsOfPeople(groups: readonly GroupName[] = []): void {
  const reserved = groups.find(({ name }) => /^\s*(system|butler):/i.test(name));
  if (reserved === undefined) return;
  const message = `${reserved.name} is reserved for Kubernetes or Butler; use another group`;
  throw new RouteProblem("INVALID", message, { causes: [{ field: "name", reason: "RESERVED", message }] });
}

/** The patch that gives a group a role in a team. */
export function planAddGroup({ spec }: Team, { name, identityProvider }: GroupName, role: TeamRole): Patch {
  requireGroupsOfPeople([{ name }]);
  const groups = spec.access.groups ?? [];
  const isSame = (group: (typeof groups)[number]): boolean =>
    group.name === name && (group.identityProvider ?? "") === (identityProvider ?? "");
  if (groups.some(isSame)) throw new RouteProblem("ALREADY_EXISTS", `${name} is already in the team`);
  const added = { name, role, ...(identityProvider ? { identityProvider } : {}) };
  return accessPatch(spec.access, { groups: [...groups, added] });
}

/** The patch that changes the role of a group in a team, or with `undefined` removes it. */
export function planChangeGroup(team: Team, group: GroupName, role: TeamRole | undefined): Patch {
  const groups = team.spec.access.groups ?? [];
  if (!groups.some(isGroup(group))) {
    throw new RouteProblem("NOT_FOUND", `group ${group.name} not found in team ${team.metadata.name}`);
  }
  const isMeant = isGroup(group);
  const changed = groups.flatMap((each) => {
    if (!isMeant(each)) return [each];
    return role === undefined ? [] : [{ ...each, role }];
  });
  return lastAdminKept(team, { groups: changed });
}

/** The patch that adds an environment to a team. */
export function planAddEnvironment({ spec }: Team, environment: Environment): Patch {
  requireGroupsOfPeople(environment.access?.groups);
  const environments = spec.environments ?? [];
  const isTaken = environments.some(({ name }) => name.toLowerCase() === environment.name.toLowerCase());
  if (isTaken) throw new RouteProblem("ALREADY_EXISTS", `environment ${environment.name} already exists`);
  return { spec: { environments: [...environments, environment] } };
}

/** Changed fields of an environment. */
export type EnvironmentChange = { readonly [field in keyof Environment]?: Environment[field] | undefined };

/** The patch that changes an environment; absent fields stay unchanged. */
export function planChangeEnvironment(team: Team, name: string, change: EnvironmentChange): Patch {
  requireGroupsOfPeople(change.access?.groups);
  const environments = requireEnvironment(team, name);
  if (change.name !== undefined && change.name !== name) {
    const message = "an environment cannot be renamed, because its clusters are labeled with its name";
    throw new RouteProblem("INVALID", message, { causes: [{ field: "name", reason: "IMMUTABLE", message }] });
  }
  return {
    spec: { environments: environments.map((each) => (each.name === name ? { ...each, ...change, name } : each)) },
  };
}

/** The patch that removes an environment that has no clusters. */
export function planRemoveEnvironment(team: Team, name: string, clusterCount: number): Patch {
  const environments = requireEnvironment(team, name);
  if (clusterCount > 0) {
    throw new RouteProblem("CONFLICT", `cannot delete environment ${name}: it has ${clusterCount} cluster(s)`, {
      hint: "Move them to another environment first.",
    });
  }
  return { spec: { environments: environments.filter((each) => each.name !== name) } };
}

function requireEnvironment({ metadata, spec }: Team, name: string): readonly Environment[] {
  const environments = spec.environments ?? [];
  if (environments.some((each) => each.name === name)) return environments;
  throw new RouteProblem("NOT_FOUND", `environment ${name} not found in team ${metadata.name}`);
}
