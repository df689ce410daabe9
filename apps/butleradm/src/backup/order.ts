import { keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import type { PortableObject } from "./portable.ts";

/** Kinds in the order in which they need each other; those that are not named come in between. */
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

/** An object by its kind and key, as one word. */
export function idOf({ kind, metadata }: { readonly kind: string; readonly metadata: ObjectKey }): string {
  return `${kind} ${keyText(metadata)}`;
}

/** Objects in the order in which they are to be made: by kind and name, and owners before what they own. */
export function inOrder(objects: readonly PortableObject[]): PortableObject[] {
  const sorted = objects.toSorted(
    (left, right) => rankOf(left.kind) - rankOf(right.kind) || compare(idOf(left), idOf(right)),
  );
  const byId = new Map(sorted.map((object) => [idOf(object), object]));
  const placed = new Set<PortableObject>();
  const place = (object: PortableObject, below: ReadonlySet<PortableObject>): void => {
    // Whoever owns itself, by however many steps, comes when its turn comes.
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

/** The owners of an object, which are in its namespace or in none. */
export function ownersOf({ owners = [], metadata: { namespace } }: PortableObject): string[] {
  return owners.flatMap(({ kind, name }) => [
    idOf({ kind, metadata: { name, namespace } }),
    idOf({ kind, metadata: { name } }),
  ]);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Objects of each kind, counted. */
export function countKinds(objects: readonly Pick<KubeObject, "kind">[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of objects) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
