import type { Team } from "@butler/api";
import { covers, holds, lacks, type Removal } from "@butler/controller";
import {
  builtinKinds,
  type ConditionStatement,
  type DynamicObject,
  isConditionTrue,
  type KubeObject,
} from "@butler/resource";
import { deepEqual, nameSome } from "@butler/std";
import { isMadeBy } from "../shared/index.ts";
import { buildRoleBindings, buildRoles, buildTeamObjectBindings, buildTeamObjectRoles } from "./manifests.ts";
import { groupsIgnored, groupsWithoutBinding } from "./members.ts";
import { teamControllerName } from "./names.ts";

/** The input for a team's access. */
export interface AccessObserved {
  readonly team: Team;
  /** Those in its namespace that Butler created. */
  readonly roles: readonly DynamicObject[];
  readonly roleBindings: readonly DynamicObject[];
  /** Those about the team's own object. */
  readonly clusterRoles: readonly DynamicObject[];
  readonly clusterRoleBindings: readonly DynamicObject[];
}

interface Access {
  readonly apply: readonly KubeObject[];
  readonly remove: readonly Removal[];
  readonly condition: ConditionStatement;
}

const { ClusterRole, ClusterRoleBinding, RoleBinding } = builtinKinds;

/**
 * Roles and bindings. The roleRef of a binding is immutable, so a binding with another roleRef is recreated; a binding
 * that the team should no longer have is deleted.
 */
export function accessOf(observed: AccessObserved): Access {
  const { team, roles, roleBindings, clusterRoles, clusterRoleBindings } = observed;
  const wantedBindings = [...buildRoleBindings(team), ...buildTeamObjectBindings(team)];
  const liveBindings = [...roleBindings, ...clusterRoleBindings];
  const wrong = liveBindings.filter((binding) => {
    const wanted = wantedBindings.find((other) => isSame(binding, other));
    return wanted === undefined
      ? isMadeBy(binding, teamControllerName)
      : !deepEqual(binding["roleRef"], wanted.roleRef);
  });
  const apply = [
    ...buildRoles(team),
    ...buildTeamObjectRoles(team),
    ...wantedBindings.filter((binding) => !wrong.some((other) => isSame(binding, other))),
  ];
  const live = [...roles, ...clusterRoles, ...liveBindings];
  const isThere = (wanted: KubeObject): boolean => live.some((object) => covers(object, wanted));
  // Drift is reconciled before the status is reported. Only a team that never had its access has to wait.
  const hasHad = isConditionTrue(team.status?.conditions, "RBACReady");
  const isComplete = wrong.length === 0 && (hasHad || apply.every(isThere));
  return {
    apply,
    remove: wrong.map(removalOf),
    condition: isComplete
      ? holds("RBACReady", "Ready", `roles and bindings up to date${exceptions(team)}`)
      : lacks("RBACReady", "Applying", "creating roles and bindings"),
  };
}

/** Objects outside the team's namespace, which are not deleted with it. Bindings are deleted before roles. */
export function teamObjectRemovals({ clusterRoles, clusterRoleBindings }: AccessObserved): Removal[] {
  return [
    ...clusterRoleBindings.filter((binding) => isMadeBy(binding, teamControllerName)).map(removalOf),
    ...clusterRoles
      .filter((role) => isMadeBy(role, teamControllerName))
      .map(({ metadata }) => ({ kind: ClusterRole, name: metadata.name })),
  ];
}

function removalOf({ kind, metadata: { name, namespace } }: KubeObject): Removal {
  return kind === ClusterRoleBinding.kind ? { kind: ClusterRoleBinding, name } : { kind: RoleBinding, name, namespace };
}

function isSame(left: KubeObject, right: KubeObject): boolean {
  return left.kind === right.kind && left.metadata.name === right.metadata.name;
}

function exceptions(team: Team): string {
  const [unbound, ignored] = [groupsWithoutBinding(team), groupsIgnored(team)];
  const parts = [
    unbound.length === 0
      ? []
      : `; no binding for ${nameSome(unbound)}: Kubernetes cannot distinguish identity providers, ` +
        "so members have their roles only through Butler's API",
    ignored.length === 0
      ? []
      : `; ignored because the names are reserved for Kubernetes and Butler: ${nameSome(ignored)}; remove them from the team`,
  ];
  return parts.flat().join("");
}
