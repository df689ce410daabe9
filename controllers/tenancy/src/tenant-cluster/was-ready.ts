import type { TenantCluster } from "@butler/api";

/** Whether the cluster was ready once, so that it is now updating or failing rather than being created. */
export function wasReady({ status }: TenantCluster): boolean {
  return status?.steps?.some(({ name, finishedAt }) => name === "Ready" && finishedAt !== undefined) === true;
}
