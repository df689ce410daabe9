import type { InformerScope } from "@butler/kube";
import type { Kind, KubeObject, Resource } from "@butler/resource";
import { Bug } from "@butler/std";
import type { ControllerDefinition, PolicyRule } from "./define-controller.ts";
import type { SingletonDefinition } from "./define-singleton.ts";
import type { Effect } from "./plan.ts";

type AnyController = Pick<
  ControllerDefinition<Resource, never, Effect, never>,
  "name" | "primary" | "owns" | "watches" | "reads" | "permissions" | "finalizer"
>;
type AnySingleton = Pick<SingletonDefinition<never>, "name" | "watches" | "permissions">;

/** What permissions follow from: a controller or a singleton. */
export type Declaration = AnyController | AnySingleton;

const readVerbs = ["get", "list", "watch"];
const ownVerbs = [...readVerbs, "create", "patch", "delete"];

/**
 * The permissions that controllers need, derived from their declarations: reading what they read, writing what they
 * own, the status and finalizers of their primary kind, and events. Nothing else, and never a wildcard. Of a singleton,
 * reading what it watches follows, unless that is a single object: access to one name is stated by the singleton.
 */
export function rbacRules(declarations: readonly Declaration[]): PolicyRule[] {
  const verbsByResource = new Map<string, Set<string>>();
  const grant = (group: string, resource: string, verbs: readonly string[]): void => {
    const id = `${group}/${resource}`;
    const known = verbsByResource.get(id) ?? new Set<string>();
    for (const verb of verbs) known.add(verb);
    verbsByResource.set(id, known);
  };
  const grantKind = ({ group, plural }: Kind, verbs: readonly string[]): void => grant(group, plural, verbs);
  const controllers = declarations.filter((declaration): declaration is AnyController => "primary" in declaration);
  const singletons = declarations.filter((declaration): declaration is AnySingleton => !("primary" in declaration));
  for (const { primary, owns = [], watches = [], reads = [], finalizer } of controllers) {
    grantKind(primary, finalizer === undefined ? readVerbs : [...readVerbs, "patch"]);
    if (primary.status !== undefined) grant(primary.group, `${primary.plural}/status`, ["patch"]);
    // Kubernetes checks this one when an owner reference blocks the owner's deletion.
    if (owns.length > 0) grant(primary.group, `${primary.plural}/finalizers`, ["update"]);
    for (const { kind } of owns) grantKind(kind, ownVerbs);
    for (const { kind } of [...watches, ...reads]) grantKind(kind, readVerbs);
    grant("", "events", ["create", "get", "patch"]);
  }
  for (const { kind, scope } of singletons.flatMap(({ watches = [] }) => watches)) {
    if (!isOfOneName(scope)) grantKind(kind, readVerbs);
  }
  const derived = [...verbsByResource]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, verbs]) => {
      const slash = id.indexOf("/");
      return { apiGroups: [id.slice(0, slash)], resources: [id.slice(slash + 1)], verbs: [...verbs].sort() };
    });
  return [...derived, ...declarations.flatMap(statedPermissions)];
}

function isOfOneName(scope: InformerScope | undefined): boolean {
  return scope?.fieldSelector?.startsWith("metadata.name=") ?? false;
}

function statedPermissions({ name, permissions = [] }: Declaration): readonly PolicyRule[] {
  const words = permissions.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]);
  if (words.some((word) => word.includes("*")))
    throw new Bug(`the permissions of controller ${name} contain a wildcard`);
  return permissions;
}

/** The ClusterRole of a process that runs the given controllers. */
export function buildClusterRole(
  name: string,
  declarations: readonly Declaration[],
): KubeObject & { rules: PolicyRule[] } {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name, labels: { "app.kubernetes.io/managed-by": "butler" } },
    rules: rbacRules(declarations),
  };
}
