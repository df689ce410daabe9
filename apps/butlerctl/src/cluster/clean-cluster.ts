import { annotations, labels, TenantCluster } from "@butler/api";
import type { InputOf } from "@butler/resource";
import { deepEqual, isRecord, type JsonObject, valueAt } from "@butler/std";
import { plannedValues } from "./plan-cluster.ts";

/** How a cluster is exported. */
export interface CleanOptions {
  /** Another name, to create a copy. */
  readonly as?: string | undefined;
  /** Whether to omit values that the environment, team or platform decided. */
  readonly leavesOpen?: boolean | undefined;
}

/** Annotations that Butler sets when a cluster is created, so they are not exported. */
const ownNotes: readonly string[] = [
  annotations.creatorEmail,
  annotations.owner,
  annotations.createdBy,
  annotations.valueOrigins,
  annotations.migrationOperation,
];

/** Annotations and labels of deployment tools. */
const ofTools = /^(kubectl\.kubernetes\.io|[^/]*\.?helm\.(sh|toolkit\.fluxcd\.io)|meta\.helm\.sh|[^/]*argocd[^/]*)\//;

/**
 * A manifest that recreates a cluster: what the user specified, without status, bookkeeping and the defaults that the API
 * server sets. Applied to the cluster that it came from, it changes nothing.
 */
export function cleanCluster(cluster: TenantCluster, options: CleanOptions = {}): InputOf<typeof TenantCluster> {
  const { name, namespace } = cluster.metadata;
  const ownLabels = kept(cluster.metadata.labels, (key) => key !== labels.managedBy);
  const ownAnnotations = kept(cluster.metadata.annotations, (key) => !ownNotes.includes(key));
  const spec = options.leavesOpen ? withoutDecided(cluster) : cluster.spec;
  return {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: {
      name: options.as ?? name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(ownLabels === undefined ? {} : { labels: ownLabels }),
      ...(ownAnnotations === undefined ? {} : { annotations: ownAnnotations }),
    },
    spec: withoutDefaults(spec) as InputOf<typeof TenantCluster>["spec"],
  };
}

function kept(
  given: Readonly<Record<string, string>> | undefined,
  isKept: (key: string) => boolean,
): Record<string, string> | undefined {
  const entries = Object.entries(given ?? {}).filter(([key]) => isKept(key) && !ofTools.test(key));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Omits each field without which the schema results in the same spec. */
export function withoutDefaults(spec: unknown): unknown {
  const whole = TenantCluster.spec.safeParse(spec);
  // A spec that the schema no longer accepts is left unchanged.
  if (!whole.success || !isRecord(spec)) return spec;
  const isSame = (candidate: unknown): boolean => {
    const parsed = TenantCluster.spec.safeParse(candidate);
    return parsed.success && deepEqual(parsed.data, whole.data);
  };
  return pruned(spec, [], isSame);
}

type Path = readonly (string | number)[];

/** Tries to omit each field of a part in turn; `isSame` compares the whole object. List entries are kept. */
function pruned(whole: JsonObject, path: Path, isSame: (candidate: JsonObject) => boolean): JsonObject {
  let result = whole;
  const part = valueAt(whole, path);
  const keys = Array.isArray(part) ? part.keys() : Object.keys(isRecord(part) ? part : {});
  for (const key of keys) {
    const at = [...path, key];
    const shorter = typeof key === "number" ? result : without(result, at);
    const isNeedless = typeof key === "string" && isSame(shorter);
    result = isNeedless ? shorter : pruned(result, at, isSame);
  }
  return result;
}

function without(whole: JsonObject, path: Path): JsonObject {
  return withoutIn(whole, path) as JsonObject;
}

function withoutIn(whole: unknown, [key, ...rest]: Path): unknown {
  if (Array.isArray(whole)) return whole.map((item: unknown, at) => (at === key ? withoutIn(item, rest) : item));
  if (!isRecord(whole) || typeof key !== "string") return whole;
  const { [key]: value, ...others } = whole;
  return rest.length === 0 ? others : { ...whole, [key]: withoutIn(value, rest) };
}

/** The spec without values that were defaulted, as long as they still have the default value. */
function withoutDecided(cluster: TenantCluster): JsonObject {
  return plannedValues(cluster)
    .filter(({ from, field }) => from !== "cluster" && /^spec(\.\w+)+$/.test(field))
    .reduce<JsonObject>((spec, { field, value }) => {
      const [, ...path] = field.split(".");
      return String(valueAt(spec, path)) === value ? without(spec, pathOf(path)) : spec;
    }, cluster.spec);
}

/** A reference is removed as a whole, not only its name. */
function pathOf(path: readonly string[]): readonly string[] {
  return path.at(-2)?.endsWith("Ref") ? path.slice(0, -1) : path;
}
