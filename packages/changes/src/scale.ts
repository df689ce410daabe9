import { mainPoolName, type TenantCluster } from "@butler/api";

/** A patch that changes only one replica count, even if another client reorders the pools at the same time. */
export function scalePatch(
  cluster: TenantCluster,
  { pool, workers }: { readonly pool: string; readonly workers: number },
): { type: "merge" | "json"; patch: unknown } {
  if (pool === mainPoolName) return { type: "merge", patch: { spec: { workers: { replicas: workers } } } };
  const path = `/spec/workerPools/${(cluster.spec.workerPools ?? []).findIndex(({ name }) => name === pool)}`;
  return {
    type: "json",
    patch: [
      { op: "test", path: `${path}/name`, value: pool },
      { op: "replace", path: `${path}/replicas`, value: workers },
    ],
  };
}
