import { appliedAnnotation, type Plan } from "@butler/controller";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { teamControllerName } from "../names.ts";
import type { Observed } from "../plan.ts";

/** What a controller would observe after its plan was applied. */
export function settle(observed: Observed, { apply = [], remove = [] }: Plan): Observed {
  const isRemoved = (object: KubeObject): boolean =>
    remove.some(({ kind, name }) => kind.kind === object.kind && name === object.metadata.name);
  if (observed.namespace !== undefined && isRemoved(observed.namespace)) {
    return { ...observed, ...kept(observed, isRemoved), namespace: undefined, roles: [], roleBindings: [] };
  }
  const written = apply.map(asApplied);
  const merge = (live: readonly DynamicObject[], kind: string): DynamicObject[] => {
    const mine = written.filter((object) => object.kind === kind);
    const untouched = live.filter(
      (object) => !isRemoved(object) && !mine.some(({ metadata }) => metadata.name === object.metadata.name),
    );
    return [...untouched, ...mine].sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
  };
  return {
    ...observed,
    namespace: written.find(({ kind }) => kind === "Namespace") ?? observed.namespace,
    roles: merge(observed.roles, "Role"),
    roleBindings: merge(observed.roleBindings, "RoleBinding"),
    clusterRoles: merge(observed.clusterRoles, "ClusterRole"),
    clusterRoleBindings: merge(observed.clusterRoleBindings, "ClusterRoleBinding"),
  };
}

/** Objects outside the namespace that were not deleted. */
function kept(
  { clusterRoles, clusterRoleBindings }: Observed,
  isRemoved: (object: KubeObject) => boolean,
): Pick<Observed, "clusterRoles" | "clusterRoleBindings"> {
  return {
    clusterRoles: clusterRoles.filter((object) => !isRemoved(object)),
    clusterRoleBindings: clusterRoleBindings.filter((object) => !isRemoved(object)),
  };
}

/** With the annotation that the controller sets. */
function asApplied(object: KubeObject): DynamicObject {
  const annotations = { ...object.metadata.annotations, [appliedAnnotation(teamControllerName)]: "0123" };
  return structuredClone({ ...object, metadata: { ...object.metadata, annotations } });
}
