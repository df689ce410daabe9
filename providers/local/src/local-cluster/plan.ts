import type { LocalCluster } from "@butler/api";
import { type ApiEndpoint, type Cluster, isPaused, pausedCondition } from "@butler/api-external";
import { holds, lacks, pausedPlan, type Plan } from "@butler/controller";
import { isBeingDeleted } from "@butler/resource";
import { planPodNetwork, type PodNetworkEffect } from "../pod-network/plan.ts";
import type { ProbeAnswer } from "../ports/control-plane-probe.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly localCluster: LocalCluster;
  /** The Cluster that owns it; undefined until Cluster API has made the connection. */
  readonly cluster: Cluster | undefined;
  /** Whether the Secret exists with which Cluster API connects to the control plane. */
  readonly hasKubeconfig: boolean;
  /** What the control plane said; undefined when there was no need to ask. */
  readonly answer: ProbeAnswer | undefined;
  /** Names of the LocalMachines of the cluster, sorted. */
  readonly machines: readonly string[];
}

export type LocalClusterEffect = PodNetworkEffect;

interface Trouble {
  readonly reason: string;
  readonly message: string;
  readonly requeueAfterMs?: number;
}

/** A control plane that starts is worth asking again soon: each try Cluster API makes in vain costs it 30 s. */
const probeIntervalMs = 1_000;

/** Decides what a LocalCluster needs now. */
export function plan(observed: Observed, now: Date): Plan<LocalClusterEffect> {
  const { localCluster, cluster } = observed;
  if (isPaused(localCluster, cluster)) return pausedPlan(localCluster.status, pausedCondition(true));
  if (isBeingDeleted(localCluster)) return planDeletion(observed);
  const isProvisioned = localCluster.status?.initialization?.provisioned === true;
  const trouble = isProvisioned
    ? undefined
    : (clusterIsMissing(observed) ?? endpointIsMissing(observed) ?? controlPlaneIsSilent(observed));
  const ready =
    trouble === undefined
      ? holds("Ready", "Provisioned", "machines can be made")
      : lacks("Ready", trouble.reason, trouble.message);
  const network = planPodNetwork({ ...observed, isProvisioned, endpoint: endpointOf(localCluster, cluster) }, now);
  return {
    finalizer: "hold",
    effects: network.effects,
    status: trouble === undefined ? { initialization: { provisioned: true }, podNetwork: network.status } : {},
    conditions: [ready, network.condition, pausedCondition(false)],
    requeueAfterMs: trouble?.requeueAfterMs ?? network.requeueAfterMs,
  };
}

/** The endpoint that must answer before the cluster counts as provisioned; undefined when none has to. */
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

function clusterIsMissing({ cluster }: Observed): Trouble | undefined {
  if (cluster !== undefined) return undefined;
  return {
    reason: "WaitingForCluster",
    message: "no Cluster owns this object; one whose infrastructureRef names it will",
  };
}

function endpointIsMissing({ localCluster, cluster }: Observed): Trouble | undefined {
  if (endpointOf(localCluster, cluster) !== undefined) return undefined;
  return {
    reason: "WaitingForEndpoint",
    message: "the control-plane provider has not said yet where the API server is",
  };
}

function controlPlaneIsSilent({ answer }: Observed): Trouble | undefined {
  if (answer === undefined || answer.isReady) return undefined;
  const message = `the control plane is not ready: ${answer.message}`;
  return { reason: "WaitingForControlPlane", message, requeueAfterMs: probeIntervalMs };
}

function planDeletion({ localCluster, machines }: Observed): Plan {
  if (machines.length === 0) return { finalizer: "release" };
  const message = `waiting until these LocalMachines are gone: ${machines.slice(0, 10).join(", ")}`;
  return {
    finalizer: "hold",
    status: { initialization: localCluster.status?.initialization },
    conditions: [
      lacks("Ready", "Deleting", "the cluster is being deleted"),
      holds(
        "Deleting",
        "WaitingForMachines",
        machines.length > 10 ? `${message} and ${machines.length - 10} more` : message,
      ),
      pausedCondition(false),
    ],
  };
}
