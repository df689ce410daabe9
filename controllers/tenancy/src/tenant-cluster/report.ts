import { annotations, type TenantCluster } from "@butler/api";
import { kubeconfigSecretName } from "@butler/api-external";
import { holds, type PlannedEvent } from "@butler/controller";
import { blocked, type ConditionStatement } from "@butler/resource";
import { endpointText, isRecord } from "@butler/std";
import type { AddonPlan } from "./addons/index.ts";
import type { AddressPlan } from "./addresses/plan-addresses.ts";
import type { ClusterBlocker } from "./blockers.ts";
import { tenantNamespaceOf } from "./names.ts";
import type { Observed } from "./observed.ts";
import { type Progress, sum } from "./progress.ts";
import { nextSteps } from "./steps.ts";
import { wasReady } from "./was-ready.ts";

type Status = NonNullable<TenantCluster["status"]>;
type Phase = NonNullable<Status["phase"]>;

/** Status, conditions and events of a cluster. */
export interface Report {
  readonly status: Record<string, unknown>;
  readonly conditions: readonly ConditionStatement[];
  readonly events: readonly PlannedEvent[];
}

/** What a report is about, besides what was observed. */
export interface Reported {
  readonly progress: Progress;
  readonly addresses: AddressPlan;
  readonly addons: AddonPlan;
}

/** Reports the progress of a cluster without a configuration problem. */
export function reportProgress(observed: Observed, reported: Reported, now: Date): Report {
  const { cluster } = observed;
  const { progress, addons } = reported;
  const { blocker } = progress;
  const phase = phaseOf(cluster, progress);
  const ready = blocker === undefined ? holds("Ready", "ClusterReady", readyText(reported)) : blocked("Ready", blocker);
  return {
    status: statusOf(observed, reported, { phase, now }),
    conditions: [
      progress.infrastructure,
      progress.controlPlane,
      progress.workers,
      progress.network,
      progress.addons,
      ready,
      ...pausedCondition(cluster),
    ],
    events: [...eventsOf(cluster, phase), ...addons.events],
  };
}

/** Nodes and add-ons of a ready cluster; an add-on that is not installed does not keep the cluster from being ready. */
function readyText({ progress: { workers }, addons: { found } }: Reported): string {
  const installed = found.filter(({ status }) => status === "Healthy").length;
  return found.length === 0 ? workers.message : `${workers.message}, ${installed}/${found.length} add-ons installed`;
}

/** Reports what keeps a cluster from being created or changed. */
export function reportBlocker(observed: Observed, blocker: ClusterBlocker, now: Date): Report {
  const { cluster } = observed;
  const phase: Phase = blocker.isPassing ? (wasReady(cluster) ? "Updating" : "Pending") : "Failed";
  const { steps, conditions: _conditions, observedGeneration: _generation, ...before } = cluster.status ?? {};
  const earlier = (cluster.status?.conditions ?? [])
    .filter(({ type }) => type.endsWith("Ready") && type !== "Ready" && type !== "InfrastructureReady")
    .map(({ type, status, reason, message }) => ({ type, status, reason, message }));
  return {
    status: { ...before, phase, lastTransitionTime: transitionTime(cluster, phase, now), steps },
    conditions: [...earlier, blocked("InfrastructureReady", blocker), blocked("Ready", blocker)],
    events: blocker.isPassing ? [] : [{ type: "Warning", reason: "ClusterFailed", message: blocker.message }],
  };
}

function statusOf(
  observed: Observed,
  { progress, addresses, addons }: Reported,
  { phase, now }: { readonly phase: Phase; readonly now: Date },
): Record<string, unknown> {
  const { cluster, controlPlane, machines } = observed;
  const { pools, runningVersion } = progress;
  const [desired, ready] = [sum(pools, "desired"), sum(pools, "ready")];
  const nodes = machines.flatMap(({ status }) => status?.nodeRef?.name ?? []).toSorted();
  const endpoint = controlPlane?.spec.controlPlaneEndpoint;
  const { allocation } = addresses;
  const isInitialized = controlPlane?.status?.initialized === true;
  return {
    phase,
    tenantNamespace: tenantNamespaceOf(cluster),
    ...(endpoint?.host
      ? { controlPlaneEndpoint: endpointText({ host: endpoint.host, port: endpoint.port ?? 6443 }) }
      : {}),
    ...(isInitialized ? { kubeconfigSecretRef: { name: kubeconfigSecretName(cluster.metadata.name) } } : {}),
    lastTransitionTime: transitionTime(cluster, phase, now),
    observedState: {
      ...(runningVersion === undefined ? {} : { kubernetesVersion: runningVersion }),
      workers: { desired, ready, nodes },
      ...(addons.found.length === 0 ? {} : { addons: addons.found }),
    },
    workerNodesDesired: desired,
    workerNodesReady: ready,
    pools: pools.map(({ name, desired: wanted, ready: there, upToDate }) => ({
      name,
      desired: wanted,
      ready: there,
      upToDate,
    })),
    steps: nextSteps(cluster, progress, now),
    origins: originsOf(cluster),
    ...(allocation === undefined ? {} : { lbAllocationRef: { name: allocation.metadata.name } }),
  };
}

/** Updating is for clusters that were ready before; on first creation, the phase after the workers is Installing. */
function phaseOf(cluster: TenantCluster, { controlPlane, workers, blocker }: Progress): Phase {
  if (blocker === undefined) return "Ready";
  if (wasReady(cluster)) return "Updating";
  return controlPlane.status === "True" && workers.status === "True" ? "Installing" : "Provisioning";
}

function transitionTime({ status }: TenantCluster, phase: Phase, now: Date): string {
  return status?.phase === phase && status.lastTransitionTime !== undefined
    ? status.lastTransitionTime
    : now.toISOString();
}

function pausedCondition({ spec }: TenantCluster): ConditionStatement[] {
  return spec.paused
    ? [holds("Paused", "AsAsked", "reconciliation is paused; set spec.paused to false to resume")]
    : [];
}

function eventsOf({ status }: TenantCluster, phase: Phase): PlannedEvent[] {
  if (phase === status?.phase) return [];
  if (phase === "Ready") return [{ type: "Normal", reason: "ClusterReady", message: "the cluster is ready" }];
  if (phase === "Provisioning") {
    return [{ type: "Normal", reason: "ClusterProvisioning", message: "creating control plane and machines" }];
  }
  return [];
}

/**
 * Value origins recorded by admission for fields that the cluster left unset; other content of the annotation is
 * ignored.
 */
function originsOf({ metadata }: TenantCluster): Status["origins"] {
  const text = metadata.annotations?.[annotations.valueOrigins];
  if (text === undefined) return undefined;
  const from = ["cluster", "environment", "team", "platform"] as const;
  try {
    const noted: unknown = JSON.parse(text);
    if (!isRecord(noted)) return undefined;
    return Object.entries(noted).flatMap(([field, note]) => {
      const origin = isRecord(note) ? from.find((each) => each === note["from"]) : undefined;
      return origin === undefined ? [] : [{ field, value: String((note as { value?: unknown }).value), from: origin }];
    });
  } catch {
    return undefined;
  }
}
