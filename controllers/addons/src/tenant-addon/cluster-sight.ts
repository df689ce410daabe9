import type { TenantCluster } from "@butler/api";
import { findCondition, isBeingDeleted, isConditionTrue, keyOf } from "@butler/resource";
import type { ReleaseCluster } from "../release/effects.ts";
import type { ClusterSight } from "./observed.ts";

/**
 * The state of a cluster for its add-ons. A ready control plane is enough: nodes may need the add-on to become ready.
 */
export function sightOf(cluster: TenantCluster | undefined, name: string): ClusterSight {
  if (cluster === undefined) {
    return { state: "missing", reason: "ClusterNotFound", message: `TenantCluster ${name} not found` };
  }
  if (isBeingDeleted(cluster)) {
    return { state: "leaving", reason: "ClusterDeleting", message: `TenantCluster ${name} is being deleted` };
  }
  const access = accessOf(cluster);
  const conditions = cluster.status?.conditions;
  if (access !== undefined && isConditionTrue(conditions, "ControlPlaneReady")) {
    return { state: "ready", reason: "ControlPlaneReady", message: "the control plane is ready", cluster, access };
  }
  const why = findCondition(conditions, "ControlPlaneReady")?.message;
  const message = `waiting for the control plane of ${name}${why === undefined || why === "" ? "" : `: ${why}`}`;
  return { state: "starting", reason: "ControlPlaneNotReady", message, cluster, access };
}

function accessOf(cluster: TenantCluster): ReleaseCluster | undefined {
  const { kubeconfigSecretRef, tenantNamespace } = cluster.status ?? {};
  if (kubeconfigSecretRef === undefined || tenantNamespace === undefined) return undefined;
  const kubeconfig = { name: kubeconfigSecretRef.name, namespace: tenantNamespace };
  const { spec, metadata } = cluster;
  // A cluster without a team is in the namespace of one.
  const team = spec.teamRef?.name ?? metadata.namespace ?? "";
  return { kind: "tenant", cluster: keyOf(cluster), team, kubeconfig };
}
