import type { Kind, KubeObject, Resource } from "@butler/resource";
import { Bug } from "@butler/std";
import type { ControllerDefinition, PolicyRule } from "./define-controller.ts";
import type { Effect } from "./plan.ts";

type AnyController = Pick<
  ControllerDefinition<Resource, never, Effect, never>,
  "name" | "primary" | "owns" | "watches" | "reads" | "permissions" | "finalizer"
>;

const readVerbs = ["get", "list", "watch"];
const ownVerbs = [...readVerbs, "create", "patch", "delete"];

/**
 * The permissions that controllers need, derived from their declarations: reading what they read, writing what they
 * own, the status and finalizers of their primary kind, and events. Nothing else, and never a wildcard.
 */
export function rbacRules(controllers: readonly AnyController[]): PolicyRule[] {
  const verbsByResource = new Map<string, Set<string>>();
  const grant = (group: string, resource: string, verbs: readonly string[]): void => {
    const id = `${group}/${resource}`;
    const known = verbsByResource.get(id) ?? new Set<string>();
    for (const verb of verbs) known.add(verb);
    verbsByResource.set(id, known);
  };
  const grantKind = ({ group, plural }: Kind, verbs: readonly string[]): void => grant(group, plural, verbs);
  for (const { primary, owns = [], watches = [], reads = [], finalizer } of controllers) {
    grantKind(primary, finalizer === undefined ? readVerbs : [...readVerbs, "patch"]);
    if (primary.status !== undefined) grant(primary.group, `${primary.plural}/status`, ["patch"]);
    // Kubernetes checks this one when an owner reference blocks the owner's deletion.
    if (owns.length > 0) grant(primary.group, `${primary.plural}/finalizers`, ["update"]);
    for (const { kind } of owns) grantKind(kind, ownVerbs);
    for (const { kind } of [...watches, ...reads]) grantKind(kind, readVerbs);
    grant("", "events", ["create", "get", "patch"]);
  }
  const derived = [...verbsByResource]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, verbs]) => {
      const slash = id.indexOf("/");
      return { apiGroups: [id.slice(0, slash)], resources: [id.slice(slash + 1)], verbs: [...verbs].sort() };
    });
  return [...derived, ...controllers.flatMap(statedPermissions)];
}

function statedPermissions({ name, permissions = [] }: AnyController): readonly PolicyRule[] {
  const words = permissions.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
  if (words.some((word) => word.includes("*")))
    throw new Bug(`the permissions of controller ${name} contain a wildcard`);
  return permissions;
}

/** The ClusterRole of a process that runs the given controllers. */
export function buildClusterRole(
  name: string,
  controllers: readonly AnyController[],
): KubeObject & { rules: PolicyRule[] } {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name, labels: { "app.kubernetes.io/managed-by": "butler" } },
    rules: rbacRules(controllers),
  };
}
