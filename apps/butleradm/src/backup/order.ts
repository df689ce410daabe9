import { keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import type { PortableObject } from "./portable.ts";

/** Kinds in dependency order; unlisted kinds come between the middle and the last. */
const first = [
  "Namespace",
  "Secret",
  "ButlerConfig",
  "IdentityProvider",
  "ProviderConfig",
  "NetworkPool",
  "AddonDefinition",
];
const middle = ["ClusterCreationPolicy", "WorkspaceTemplate", "User", "Team", "ManagementAddon"];
const last = ["TenantCluster", "IPAllocation", "TenantAddon", "Workspace"];

function rankOf(kind: string): number {
  const named = [...first, ...middle];
  const at = named.indexOf(kind);
  if (at >= 0) return at;
  const end = last.indexOf(kind);
  return end >= 0 ? named.length + 1 + end : named.length;
}

/** Identifies an object by kind and key. */
export function idOf({ kind, metadata }: { readonly kind: string; readonly metadata: ObjectKey }): string {
  return `${kind} ${keyText(metadata)}`;
}

/** Objects in creation order: by kind and name, owners before their dependents. */
export function inOrder(objects: readonly PortableObject[]): PortableObject[] {
  const sorted = objects.toSorted(
    (left, right) => rankOf(left.kind) - rankOf(right.kind) || compare(idOf(left), idOf(right)),
  );
  const byId = new Map(sorted.map((object) => [idOf(object), object]));
  const placed = new Set<PortableObject>();
  const place = (object: PortableObject, below: ReadonlySet<PortableObject>): void => {
    // An object that owns itself, directly or indirectly, keeps its position.
    if (placed.has(object) || below.has(object)) return;
    for (const owner of ownersOf(object)) {
      const found = byId.get(owner);
      if (found !== undefined) place(found, new Set([...below, object]));
    }
    placed.add(object);
  };
  for (const object of sorted) place(object, new Set());
  return [...placed];
}

/** The owners of an object, which are in its namespace or cluster-scoped. */
export function ownersOf({ owners = [], metadata: { namespace } }: PortableObject): string[] {
  return owners.flatMap(({ kind, name }) => [
    idOf({ kind, metadata: { name, namespace } }),
    idOf({ kind, metadata: { name } }),
  ]);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Number of objects by kind. */
export function countKinds(objects: readonly Pick<KubeObject, "kind">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of objects) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
