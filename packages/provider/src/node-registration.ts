import type { NodeRegistration } from "@butler/api-external";
import { kubeletLabels } from "./accepted-node-labels.ts";
import type { PoolInput } from "./machine-provider.ts";

/** Kubelet registration with the labels and taints of a pool. */
export function registrationOf(pool: PoolInput, own: NodeRegistration = {}): NodeRegistration {
  const pairs = Object.entries(kubeletLabels(pool.labels)).map(([key, value]) => `${key}=${value}`);
  const extra = [...(own.kubeletExtraArgs ?? [])];
  if (pairs.length > 0) extra.push({ name: "node-labels", value: pairs.toSorted().join(",") });
  return {
    ...own,
    ...(extra.length === 0 ? {} : { kubeletExtraArgs: extra }),
    ...(pool.taints.length === 0 ? {} : { taints: pool.taints.map((taint) => ({ ...taint })) }),
  };
}
