import { mainPoolName, type TenantCluster } from "@butler/api";

/** What changes one number of the spec and nothing else, even when somebody else moves the pools at the same moment. */
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
