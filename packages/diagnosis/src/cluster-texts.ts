import { type TenantCluster, wantedWorkers } from "@butler/api";

/** Ready worker nodes of desired ones, such as `1/2`. */
export function workersText({ spec, status }: TenantCluster): string {
  const desired = status?.workerNodesDesired ?? wantedWorkers(spec);
  return `${status?.workerNodesReady ?? 0}/${desired}`;
}
