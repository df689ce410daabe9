import { TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";

/** The cluster blue of team payments, as the API server returns it. */
export function aCluster(spec: object = {}, metadata: object = {}): TenantCluster {
  return parseObject(TenantCluster, {
    apiVersion: TenantCluster.apiVersion,
    kind: "TenantCluster",
    metadata: { name: "blue", namespace: "payments", uid: "one", generation: 1, ...metadata },
    spec,
  });
}
