import type { DataStore, TenantCluster, TenantControlPlane } from "@butler/api";
import type { controlPlaneView, dataStoreView } from "@butler/contract";
import { findCondition, keyOf, keyText } from "@butler/resource";
import type { z } from "zod";

/** A control plane as returned by the API, with the cluster that it belongs to. */
export function showControlPlane(
  { metadata, spec, status }: TenantControlPlane,
  cluster: TenantCluster | undefined,
): z.output<typeof controlPlaneView> {
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? "",
    cluster: cluster && keyText(keyOf(cluster)),
    team: cluster?.spec.teamRef?.name,
    version: spec.kubernetes.version,
    replicas: spec.controlPlane.deployment.replicas,
    dataStore: status?.storage?.dataStoreName ?? spec.dataStore ?? "",
    ...runningFacts(status ?? {}),
    createdAt: metadata.creationTimestamp,
    deletedAt: metadata.deletionTimestamp,
  };
}

function runningFacts({ kubernetesResources, controlPlaneEndpoint }: NonNullable<TenantControlPlane["status"]>) {
  const { version, deployment } = kubernetesResources ?? {};
  return {
    phase: version?.status ?? "Provisioning",
    runningVersion: version?.version ?? "",
    endpoint: controlPlaneEndpoint ?? "",
    readyReplicas: deployment?.readyReplicas ?? 0,
  };
}

/** A data store as shown to users: exactly these fields, because its spec may contain passwords and keys. */
export function showDataStore({ metadata, spec, status }: DataStore): z.output<typeof dataStoreView> {
  return {
    name: metadata.name,
    driver: spec.driver,
    isDedicated: spec.dedicated !== undefined,
    endpoints: spec.endpoints ?? [],
    ...storedFacts(status ?? {}),
    createdAt: metadata.creationTimestamp,
  };
}

function storedFacts({ conditions, version, databaseSize, quota, usedBy }: NonNullable<DataStore["status"]>) {
  const ready = findCondition(conditions, "Ready");
  return {
    ready: ready?.status === "True",
    message: ready?.message ?? "",
    version: version ?? "",
    databaseSize: databaseSize ?? "",
    quota: quota ?? "",
    usedBy: usedBy ?? [],
  };
}
