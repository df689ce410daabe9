import {
  platformAdminNamespaceRules,
  platformAdminRoleName,
  platformAdminSubjects,
  teamNamespaceRules,
} from "@butler/access";
import { annotations, labels, managedByButler, Team } from "@butler/api";
import type { PolicyRule } from "@butler/controller";
import { type KubeObject, rbacGroup } from "@butler/resource";
import { buildNamespace } from "../shared/index.ts";
import { type RoleSubjects, type Subject, teamNamespaceBindings } from "./members.ts";
import { roleObjectName, type TeamRelation, teamObjectRoleName, teamRoles } from "./names.ts";

type Role = KubeObject & { readonly rules: readonly PolicyRule[] };
type RoleBinding = KubeObject & { readonly roleRef: RoleRef; readonly subjects: readonly Subject[] };

interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

const rbacVersion = `${rbacGroup}/v1`;

/** The namespace of a team, which has the team's name. */
export function buildTeamNamespace({ metadata: { name }, spec }: Team): KubeObject {
  return buildNamespace(name, {
    labels: { [labels.team]: name },
    ...(spec.description ? { annotations: { [annotations.description]: spec.description } } : {}),
  });
}

/**
 * Permissions of each role in a team's namespace, and of platform administrators: separate Roles, because Kubernetes' default roles grant access to
 * Secrets.
 */
export function buildRoles({ metadata: { name } }: Team): Role[] {
  const ofTeam = teamRoles.map((role) => [roleObjectName(role), teamNamespaceRules(role)] as const);
  return [...ofTeam, [platformAdminRoleName, platformAdminNamespaceRules] as const].map(([role, rules]) => ({
    apiVersion: rbacVersion,
    kind: "Role",
    metadata: metadataOf(name, role),
    rules: rules.map((rule) => ({ ...rule })),
  }));
}

/** Verbs that members and administrators of a team have on its Team object. */
export const teamObjectVerbs: Readonly<Record<TeamRelation, readonly string[]>> = {
  member: ["get"],
  admin: ["get", "patch", "update"],
};

const relations = ["member", "admin"] as const satisfies readonly TeamRelation[];

/** Permissions on the user's own Team object only; admission validates the changes. */
export function buildTeamObjectRoles({ metadata: { name } }: Team): Role[] {
  return relations.map((relation) => ({
    apiVersion: rbacVersion,
    kind: "ClusterRole",
    metadata: clusterMetadataOf(name, relation),
    rules: [
      { apiGroups: [Team.group], resources: [Team.plural], verbs: teamObjectVerbs[relation], resourceNames: [name] },
    ],
  }));
}

/** Bindings of the users who may read, and who may change, the object of their team. */
export function buildTeamObjectBindings(team: Team): RoleBinding[] {
  const bindings = teamNamespaceBindings(team);
  return relations.map((relation) => ({
    apiVersion: rbacVersion,
    kind: "ClusterRoleBinding",
    metadata: clusterMetadataOf(team.metadata.name, relation),
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: teamObjectRoleName(team.metadata.name, relation) },
    subjects: bindings
      .filter(({ role }) => (role === "admin") === (relation === "admin"))
      .flatMap(({ subjects }) => subjects),
  }));
}

/** Who has each role in a team's namespace. */
export function buildRoleBindings(team: Team): RoleBinding[] {
  const ofTeam = teamNamespaceBindings(team).map(
    ({ role, subjects }: RoleSubjects) => [roleObjectName(role), subjects] as const,
  );
  return [...ofTeam, [platformAdminRoleName, platformAdminSubjects] as const].map(([name, subjects]) => ({
    apiVersion: rbacVersion,
    kind: "RoleBinding",
    metadata: metadataOf(team.metadata.name, name),
    roleRef: { apiGroup: rbacGroup, kind: "Role", name },
    subjects,
  }));
}

function metadataOf(team: string, name: string): KubeObject["metadata"] {
  return {
    name,
    namespace: team,
    labels: { [labels.managedBy]: managedByButler, [labels.team]: team },
    // They are deleted with the namespace, not before: until a team's clusters are deleted, its members keep access.
    ownerReferences: [],
  };
}

/** They have no owner: with foreground deletion they would be deleted before the team's clusters. */
function clusterMetadataOf(team: string, relation: TeamRelation): KubeObject["metadata"] {
  return {
    name: teamObjectRoleName(team, relation),
    labels: { [labels.managedBy]: managedByButler, [labels.team]: team },
    ownerReferences: [],
  };
}
