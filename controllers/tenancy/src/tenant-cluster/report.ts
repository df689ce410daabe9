import { annotations, type TenantCluster } from "@butler/api";
import { kubeconfigSecretName } from "@butler/api-external";
import { holds, lacks, type PlannedEvent } from "@butler/controller";
import type { ConditionStatement } from "@butler/resource";
import { endpointText, isRecord } from "@butler/std";
import { planAddresses } from "./addresses/plan-addresses.ts";
import { tenantNamespaceOf } from "./names.ts";
import type { Observed } from "./observed.ts";
import type { Part } from "./part.ts";
import { type Progress, sum } from "./progress.ts";
import { nextSteps } from "./steps.ts";
import type { Trouble } from "./trouble.ts";
import { wasReady } from "./was-ready.ts";

type Status = NonNullable<TenantCluster["status"]>;
type Phase = NonNullable<Status["phase"]>;

/** Status, conditions and events of a cluster. */
export interface Report {
  readonly status: Record<string, unknown>;
  readonly conditions: readonly ConditionStatement[];
  readonly events: readonly PlannedEvent[];
}

/** Reports the progress of a cluster without a configuration problem. */
export function reportProgress(observed: Observed, progress: Progress, now: Date): Report {
  const { cluster } = observed;
  const steps = nextSteps(cluster, progress, now);
  const parts: readonly (readonly [string, Part])[] = [
    ["InfrastructureReady", progress.infrastructure],
    ["ControlPlaneReady", progress.controlPlane],
    ["WorkersReady", progress.workers],
    ["NetworkReady", progress.network],
    ["AddonsReady", progress.addons],
  ];
  // A failed add-on is reported in AddonsReady; the cluster is usable anyway.
  const needed = parts.filter(([type]) => type !== "AddonsReady").map(([, part]) => part);
  const open = needed.find(({ isReady }) => !isReady) ?? progress.addonsHoldUp;
  const phase = phaseOf(cluster, progress, open === undefined);
  const ready =
    open === undefined
      ? holds("Ready", "ClusterReady", readyText(progress))
      : lacks("Ready", open.reason, open.message);
  return {
    status: statusOf(observed, progress, { phase, steps, now }),
    conditions: [...parts.map(([type, part]) => condition(type, part)), ready, ...pausedCondition(cluster)],
    events: [...eventsOf(cluster, phase), ...progress.addonPlan.events],
  };
}

/** Nodes and add-ons of a ready cluster; an add-on that is not installed does not keep the cluster from being ready. */
function readyText({ workers, addonPlan: { found } }: Progress): string {
  const installed = found.filter(({ status }) => status === "Healthy").length;
  return found.length === 0 ? workers.message : `${workers.message}, ${installed}/${found.length} add-ons installed`;
}

/** Reports what keeps a cluster from being created or changed. */
export function reportTrouble(observed: Observed, trouble: Trouble, now: Date): Report {
  const { cluster } = observed;
  const phase: Phase = trouble.isPassing ? (wasReady(cluster) ? "Updating" : "Pending") : "Failed";
  const { steps, conditions: _conditions, observedGeneration: _generation, ...before } = cluster.status ?? {};
  const earlier = (cluster.status?.conditions ?? [])
    .filter(({ type }) => type.endsWith("Ready") && type !== "Ready" && type !== "InfrastructureReady")
    .map(({ type, status, reason, message }) => ({ type, status, reason, message }));
  return {
    status: { ...before, phase, lastTransitionTime: transitionTime(cluster, phase, now), steps },
    conditions: [
      ...earlier,
      lacks("InfrastructureReady", trouble.reason, trouble.message),
      lacks("Ready", trouble.reason, trouble.message),
    ],
    events: trouble.isPassing ? [] : [{ type: "Warning", reason: "ClusterFailed", message: trouble.message }],
  };
}

function statusOf(
  observed: Observed,
  progress: Progress,
  { phase, steps, now }: { readonly phase: Phase; readonly steps: Status["steps"]; readonly now: Date },
): Record<string, unknown> {
  const { cluster, controlPlane, machines } = observed;
  const { pools, runningVersion, addonPlan } = progress;
  const [desired, ready] = [sum(pools, "desired"), sum(pools, "ready")];
  const nodes = machines.flatMap(({ status }) => status?.nodeRef?.name ?? []).toSorted();
  const endpoint = controlPlane?.spec.controlPlaneEndpoint;
  const { allocation } = planAddresses(observed);
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
      ...(addonPlan.found.length === 0 ? {} : { addons: addonPlan.found }),
    },
    workerNodesDesired: desired,
    workerNodesReady: ready,
    pools: pools.map(({ name, desired: wanted, ready: there, upToDate }) => ({
      name,
      desired: wanted,
      ready: there,
      upToDate,
    })),
    steps,
    origins: originsOf(cluster),
    ...(allocation === undefined ? {} : { lbAllocationRef: { name: allocation.metadata.name } }),
  };
}

/** Updating is for clusters that were ready before; on first creation, the phase after the workers is Installing. */
function phaseOf(cluster: TenantCluster, { controlPlane, workers }: Progress, isReady: boolean): Phase {
  if (isReady) return "Ready";
  if (wasReady(cluster)) return "Updating";
  return controlPlane.isReady && workers.isReady ? "Installing" : "Provisioning";
}

function transitionTime({ status }: TenantCluster, phase: Phase, now: Date): string {
  return status?.phase === phase && status.lastTransitionTime !== undefined
    ? status.lastTransitionTime
    : now.toISOString();
}

function condition(type: string, { isReady, reason, message }: Part): ConditionStatement {
  return isReady ? holds(type, reason, message) : lacks(type, reason, message);
}

function pausedCondition({ spec }: TenantCluster): ConditionStatement[] {
  return spec.paused ? [holds("Paused", "AsAsked", "spec.paused is true: changes wait until it is false")] : [];
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
