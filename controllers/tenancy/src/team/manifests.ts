import { teamNamespaceRules } from "@butler/access";
import { annotations, labels, managedByButler, type Team, type TeamRole } from "@butler/api";
import type { PolicyRule } from "@butler/controller";
import { type KubeObject, rbacGroup } from "@butler/resource";
import { buildNamespace } from "../shared/index.ts";
import { type RoleSubjects, type Subject, teamNamespaceBindings } from "./members.ts";
import { roleObjectName, teamRoles } from "./names.ts";

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

/** What each role may do in a team's namespace: Roles of our own, because those of Kubernetes hand out Secrets. */
export function buildRoles({ metadata: { name } }: Team): Role[] {
  return teamRoles.map((role) => ({
    apiVersion: rbacVersion,
    kind: "Role",
    metadata: metadataOf(name, role),
    rules: teamNamespaceRules(role).map((rule) => ({ ...rule })),
  }));
}

/** Who has each role in a team's namespace. A role that nobody has is bound to nobody, so that nobody can slip in. */
export function buildRoleBindings(team: Team): RoleBinding[] {
  return teamNamespaceBindings(team).map(({ role, subjects }: RoleSubjects) => ({
    apiVersion: rbacVersion,
    kind: "RoleBinding",
    metadata: metadataOf(team.metadata.name, role),
    roleRef: { apiGroup: rbacGroup, kind: "Role", name: roleObjectName(role) },
    subjects,
  }));
}

function metadataOf(team: string, role: TeamRole): KubeObject["metadata"] {
  return {
    name: roleObjectName(role),
    namespace: team,
    labels: { [labels.managedBy]: managedByButler, [labels.team]: team },
    // They go with the namespace, and not before it: until a team's clusters are gone, its members are let in.
    ownerReferences: [],
  };
}
