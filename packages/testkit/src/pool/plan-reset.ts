import type { StoredKey, StoredValue } from "./store-keys.ts";

/** The writes that restore a store to its initial state. */
export interface ResetPlan {
  /** Keys to delete, in order. */
  readonly remove: readonly string[];
  readonly restore: readonly StoredValue[];
}

/** An API server and a controller manager renew these all the time. Those that existed at the start are kept. */
const heartbeats = /^\/registry\/(leases|masterleases|peerserverleases)\//;
const definitions = "/registry/apiextensions.k8s.io/customresourcedefinitions/";

/** Compares a store with its initial contents. */
export function planReset(baseline: ReadonlyMap<string, StoredValue>, now: readonly StoredKey[]): ResetPlan {
  const present = new Map(now.map(({ key, version }) => [key, version]));
  const added = now.map(({ key }) => key).filter((key) => !baseline.has(key));
  const restore = [...baseline.values()].filter(
    ({ key, version }) => !heartbeats.test(key) && present.get(key) !== version,
  );
  // CRDs are removed last: without them watches would receive no deletion events.
  const isDefinition = (key: string): boolean => key.startsWith(definitions);
  return { remove: [...added.filter((key) => !isDefinition(key)), ...added.filter(isDefinition)], restore };
}

/** Whether there is nothing to write. */
export function isPristine({ remove, restore }: ResetPlan): boolean {
  return remove.length === 0 && restore.length === 0;
}

/** Requests that show whether the API server has processed the deletions that other requests depend on. */
export function listsToAwait({ remove }: ResetPlan): { readonly path: string; readonly names: ReadonlySet<string> }[] {
  return watchedKinds.flatMap(({ prefix, path }) => {
    const names = remove.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    return names.length === 0 ? [] : [{ path, names: new Set(names) }];
  });
}

const kindsOf = (group: string, ...plurals: string[]): { prefix: string; path: string }[] =>
  plurals.map((plural) => ({ prefix: `/registry/${plural}/`, path: `/apis/${group}/v1/${plural}` }));

/** Objects that the API server itself decides by: RBAC, admission webhooks, and served kinds. */
const watchedKinds = [
  { prefix: "/registry/namespaces/", path: "/api/v1/namespaces" },
  { prefix: definitions, path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions" },
  ...kindsOf("rbac.authorization.k8s.io", "clusterroles", "clusterrolebindings", "roles", "rolebindings"),
  ...kindsOf(
    "admissionregistration.k8s.io",
    "validatingwebhookconfigurations",
    "mutatingwebhookconfigurations",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
  ),
];
