import { TenantCluster } from "@butler/api";
import type { InformerScope, KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { observeObject, type ObjectWatch, watchObjects } from "../watch-objects.ts";

/** Opens a watch of clusters that survives network failures. */
export function watchClusters(
  client: KubeClient,
  scope: InformerScope,
  signal: AbortSignal,
): Promise<ObjectWatch<TenantCluster>> {
  return watchObjects(client, { kind: TenantCluster, scope }, signal);
}

/** Each state of one cluster as it changes; undefined once it is deleted. */
export function observeCluster(
  client: KubeClient,
  key: ObjectKey,
  signal: AbortSignal,
): AsyncGenerator<TenantCluster | undefined> {
  return observeObject(client, { kind: TenantCluster, key }, signal);
}
