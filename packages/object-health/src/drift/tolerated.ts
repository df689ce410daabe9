import type { KubeObject } from "@butler/resource";
import { valueAt } from "@butler/std";
import { groupOf, mapAt, textAt } from "../objects/fields.ts";
import type { Difference } from "./differences.ts";

/** Keys of labels and annotations that Helm adds to every object, and does not write into the manifest. */
const helmsOwnLabels = ["app.kubernetes.io/managed-by"];
const helmsOwnAnnotations = ["meta.helm.sh/release-name", "meta.helm.sh/release-namespace"];

/**
 * The object to apply: what the manifest states, and what Helm has added to it in the cluster. Without the latter the
 * server would take the additions back, as the same manager no longer states them.
 */
export function asHelmApplies(stated: KubeObject, live: KubeObject): KubeObject {
  const {
    managedFields: _notes,
    resourceVersion: _version,
    uid: _uid,
    generation: _count,
    ...metadata
  } = stated.metadata;
  const labels = additions(live.metadata.labels, helmsOwnLabels);
  const annotations = additions(live.metadata.annotations, helmsOwnAnnotations);
  const { name, namespace } = live.metadata;
  const { status: _status, ...rest } = stated as KubeObject & { status?: unknown };
  return {
    ...rest,
    metadata: {
      ...metadata,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...metadata.labels, ...labels },
      annotations: { ...metadata.annotations, ...annotations },
    },
  };
}

function additions(live: Readonly<Record<string, string>> = {}, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.flatMap((key) => (Object.hasOwn(live, key) ? [[key, live[key] ?? ""]] : [])));
}

/** Differences that are expected: injected CA bundles, rules aggregated from other roles. */
export function isExpected({ path }: Difference, live: KubeObject): boolean {
  if (path.at(-1) === "caBundle") return true;
  const isGathered = live.kind === "ClusterRole" && valueAt(live, "aggregationRule") !== undefined;
  return isGathered && path[0] === "rules";
}

/** Whether a difference is in the number of replicas, which an autoscaler may own. */
export function isOfReplicas({ path }: Difference): boolean {
  return path.length === 2 && path[0] === "spec" && path[1] === "replicas";
}

/** Whether an autoscaler scales an object in its own namespace. */
export function scales(autoscaler: KubeObject, { apiVersion, kind, metadata }: KubeObject): boolean {
  const target = mapAt(autoscaler, "spec", "scaleTargetRef");
  if (textAt(target, "kind") !== kind || textAt(target, "name") !== metadata.name) return false;
  return groupOf({ apiVersion: textAt(target, "apiVersion") || apiVersion }) === groupOf({ apiVersion });
}
