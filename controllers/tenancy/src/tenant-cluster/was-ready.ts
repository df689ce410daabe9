import type { TenantCluster } from "@butler/api";

/** Whether the cluster has been complete once, so that what it lacks now is a change or a fault. */
export function wasReady({ status }: TenantCluster): boolean {
  return status?.steps?.some(({ name, finishedAt }) => name === "Ready" && finishedAt !== undefined) === true;
}
