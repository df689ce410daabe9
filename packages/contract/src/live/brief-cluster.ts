import type { TenantCluster } from "@butler/api";

type Spec = TenantCluster["spec"];
type Status = NonNullable<TenantCluster["status"]>;
type Condition = NonNullable<Status["conditions"]>[number];

/** The part of a cluster that lists show: about a sixth of its size, which matters with thousands of clusters. */
export interface BriefCluster {
  readonly metadata: Pick<
    TenantCluster["metadata"],
    "name" | "namespace" | "creationTimestamp" | "deletionTimestamp" | "labels" | "annotations"
  >;
  readonly spec: Pick<Spec, "kubernetesVersion" | "paused" | "teamRef" | "providerConfigRef"> & {
    readonly workers: Pick<Spec["workers"], "replicas">;
    readonly workerPools?: readonly Pick<NonNullable<Spec["workerPools"]>[number], "name" | "replicas">[] | undefined;
  };
  readonly status?:
    | (Pick<Status, "phase" | "lastTransitionTime" | "workerNodesReady" | "workerNodesDesired"> & {
        /** Only whether it is ready, and if not, why. */
        readonly conditions?: readonly Pick<Condition, "type" | "status" | "message">[] | undefined;
        readonly observedState?: Pick<NonNullable<Status["observedState"]>, "kubernetesVersion"> | undefined;
      })
    | undefined;
}
