import type { LocalCluster } from "@butler/api";
import { type ApiEndpoint, type Cluster, isPaused, pausedCondition } from "@butler/api-external";
import { holds, lacks, pausedPlan, type Plan } from "@butler/controller";
import { blocked, type Blocker, isBeingDeleted } from "@butler/resource";
import { nameSome } from "@butler/std";
import { planPodNetwork, type PodNetworkEffect } from "../pod-network/plan.ts";
import type { ProbeAnswer } from "../ports/control-plane-probe.ts";

/** The input of a plan. */
export interface Observed {
  readonly localCluster: LocalCluster;
  /** The Cluster that owns it; undefined until Cluster API has set the owner reference. */
  readonly cluster: Cluster | undefined;
  /** Whether the Secret exists with which Cluster API connects to the control plane. */
  readonly hasKubeconfig: boolean;
  /** The result of the control plane probe; undefined when it was not needed. */
  readonly answer: ProbeAnswer | undefined;
  /** Names of the LocalMachines of the cluster, sorted. */
  readonly machines: readonly string[];
}

export type LocalClusterEffect = PodNetworkEffect;

interface ClusterBlocker extends Blocker {
  readonly requeueAfterMs?: number;
}

/** A starting control plane is probed frequently: each failed attempt of Cluster API to connect costs 30 s. */
const probeIntervalMs = 1_000;

/** Plans the next step of a LocalCluster. */
export function plan(observed: Observed, now: Date): Plan<LocalClusterEffect> {
  const { localCluster, cluster } = observed;
  if (isPaused(localCluster, cluster)) return pausedPlan(localCluster.status, pausedCondition(true));
  if (isBeingDeleted(localCluster)) return planDeletion(observed);
  const isProvisioned = localCluster.status?.initialization?.provisioned === true;
  const blocker = isProvisioned
    ? undefined
    : (clusterIsMissing(observed) ?? endpointIsMissing(observed) ?? controlPlaneIsSilent(observed));
  const ready =
    blocker === undefined ? holds("Ready", "Provisioned", "ready to create machines") : blocked("Ready", blocker);
  const network = planPodNetwork({ ...observed, isProvisioned, endpoint: endpointOf(localCluster, cluster) }, now);
  return {
    finalizer: "hold",
    effects: network.effects,
    status: blocker === undefined ? { initialization: { provisioned: true }, podNetwork: network.status } : {},
    conditions: [ready, network.condition, pausedCondition(false)],
    requeueAfterMs: blocker?.requeueAfterMs ?? network.requeueAfterMs,
  };
}

/** The endpoint that must respond before the cluster counts as provisioned; undefined when none has to. */
export function endpointToAsk({
  localCluster,
  cluster,
  hasKubeconfig,
}: Omit<Observed, "answer">): ApiEndpoint | undefined {
  const isSettled = localCluster.status?.initialization?.provisioned === true || isBeingDeleted(localCluster);
  if (isSettled || !hasKubeconfig || cluster === undefined || isPaused(localCluster, cluster)) return undefined;
  return endpointOf(localCluster, cluster);
}

function endpointOf({ spec }: LocalCluster, cluster: Cluster | undefined): ApiEndpoint | undefined {
  const { host, port } = cluster?.spec?.controlPlaneEndpoint ?? {};
  return host && port ? { host, port } : spec.controlPlaneEndpoint;
}

function clusterIsMissing({ cluster }: Observed): ClusterBlocker | undefined {
  if (cluster !== undefined) return undefined;
  return {
    reason: "WaitingForCluster",
    message: "waiting for a Cluster whose infrastructureRef references this object",
  };
}

function endpointIsMissing({ localCluster, cluster }: Observed): ClusterBlocker | undefined {
  if (endpointOf(localCluster, cluster) !== undefined) return undefined;
  return {
    reason: "WaitingForEndpoint",
    message: "waiting for the control plane provider to set the API server endpoint",
  };
}

function controlPlaneIsSilent({ answer }: Observed): ClusterBlocker | undefined {
  if (answer === undefined || answer.isReady) return undefined;
  const message = `the control plane is not ready: ${answer.message}`;
  return { reason: "WaitingForControlPlane", message, requeueAfterMs: probeIntervalMs };
}

function planDeletion({ localCluster, machines }: Observed): Plan {
  if (machines.length === 0) return { finalizer: "release" };
  return {
    finalizer: "hold",
    status: { initialization: localCluster.status?.initialization },
    conditions: [
      lacks("Ready", "Deleting", "the cluster is being deleted"),
      holds("Deleting", "WaitingForMachines", `waiting for LocalMachines to be deleted: ${nameSome(machines)}`),
      pausedCondition(false),
    ],
  };
}
