import { annotations, IPAllocation, StewardControlPlane, TenantAddon, type TenantCluster } from "@butler/api";
import { Cluster, type Machine } from "@butler/api-external";
import { holds, lacks, type Plan, type PlannedEvent, type Removal } from "@butler/controller";
import { builtinKinds, type ConditionStatement, isBeingDeleted, type Kind, type KubeObject } from "@butler/resource";
import { parseDurationMs } from "@butler/std";
import type { Observed } from "./observed.ts";
import { namespaceBlocker } from "./blockers.ts";

/** One step of a deletion: the objects that still exist, and those to delete. */
interface Step {
  readonly type: string;
  readonly left: readonly string[];
  readonly remove: readonly Removal[];
}

/**
 * Plans the deletion of a cluster: add-ons, workers and control plane, addresses, namespace. Each step waits for the
 * one before it and reports what it waits for; an overdue one is reported. When a platform administrator abandons it, the
 * objects of the management cluster no longer wait for the workers. What is left stays: the cluster is listed, counts
 * towards quota and keeps its addresses until nothing is left, because its machines may still run.
 */
export function planDeletion(observed: Observed, now: Date): Plan {
  const { cluster } = observed;
  const steps = stepsOf(observed);
  const at = steps.findIndex(({ left }) => left.length > 0);
  const current = steps[at];
  if (current === undefined) return { finalizer: "release" };
  const { conditions: _conditions, observedGeneration: _generation, ...before } = cluster.status ?? {};
  const overdue = overdueOf(observed, { steps, current }, now);
  return {
    finalizer: "hold",
    remove: overdue.isAbandoned ? allAtOnce(observed, steps, at) : current.remove,
    status: {
      ...before,
      phase: "Deleting",
      lastTransitionTime: cluster.metadata.deletionTimestamp ?? now.toISOString(),
    },
    conditions: [
      ...steps.map((step, index) => stepCondition(step, index - at)),
      lacks("Ready", "Deleting", `the cluster is being deleted: ${waitsFor(current)}`),
      ...overdue.conditions,
    ],
    events: [{ type: "Normal", reason: "ClusterDeleting", message: "the cluster is being deleted" }, ...overdue.events],
    ...(overdue.inMs > 0 ? { requeueAfterMs: overdue.inMs } : {}),
  };
}

function stepsOf(observed: Observed): Step[] {
  const { addons, machines, deployments, capiCluster, controlPlane, tenantControlPlane, allocations } = observed;
  // Released addresses are quarantined before reuse; the deletion does not wait for that.
  const held = allocations.filter(({ status }) => status?.phase !== "Released");
  const cluster = capiCluster === undefined ? [] : [removalOf(Cluster, capiCluster)];
  // A namespace that never belonged to this cluster is kept.
  const namespace = namespaceBlocker(observed) === undefined ? observed.namespace : undefined;
  return [
    {
      type: "AddonsRemoved",
      left: addons.map(({ metadata }) => `add-on ${metadata.name}`),
      remove: addons.map((addon) => removalOf(TenantAddon, addon)),
    },
    // Cluster API itself deletes the machines first, then the control plane, then the infrastructure.
    {
      type: "WorkersRemoved",
      left: [
        ...machines.map(machineText),
        ...(machines.length > 0 ? [] : deployments.map(({ metadata }) => `machine deployment ${metadata.name}`)),
      ],
      remove: cluster,
    },
    {
      type: "ControlPlaneRemoved",
      left: [
        ...[controlPlane, tenantControlPlane].flatMap((object) => (object === undefined ? [] : [heldText(object)])),
        ...(capiCluster === undefined ? [] : [heldText(capiCluster)]),
      ],
      remove: cluster,
    },
    {
      type: "AddressesReleased",
      left: held.map(({ metadata }) => `IPAllocation ${metadata.name}`),
      remove: held.map((allocation) => removalOf(IPAllocation, allocation)),
    },
    {
      type: "NamespaceRemoved",
      left: namespace === undefined ? [] : [`namespace ${namespace.metadata.name}`],
      remove: namespace === undefined ? [] : [removalOf(builtinKinds.Namespace, namespace)],
    },
  ];
}

/** `distance` from the current step: those before it are done, those after it wait. */
function stepCondition(step: Step, distance: number): ConditionStatement {
  if (distance < 0) return holds(step.type, "Done", "nothing left to delete");
  if (distance === 0) return lacks(step.type, "Removing", waitsFor(step));
  return lacks(step.type, "Waiting", "waiting for earlier steps");
}

function waitsFor({ left }: Step): string {
  const shown = left.slice(0, 5).join(", ");
  return `waiting for deletion of ${shown}${left.length > 5 ? ` and ${left.length - 5} more` : ""}`;
}

function machineText({ metadata, status }: Machine): string {
  const since = metadata.deletionTimestamp;
  if (since === undefined) return `machine ${metadata.name}`;
  const said = status?.conditions?.find(({ type }) => type === "Deleting")?.message;
  const words = [said, heldBy(metadata.finalizers)].filter(Boolean);
  return `machine ${metadata.name}, terminating since ${since}${words.length === 0 ? "" : ` (${words.join("; ")})`}`;
}

function heldText({ kind, metadata }: KubeObject): string {
  const held = metadata.deletionTimestamp === undefined ? "" : heldBy(metadata.finalizers);
  return `${kind} ${metadata.name}${held === "" ? "" : ` (${held})`}`;
}

function heldBy(finalizers: readonly string[] = []): string {
  return finalizers.length === 0 ? "" : `finalizers: ${finalizers.join(", ")}`;
}

interface Overdue {
  readonly conditions: readonly ConditionStatement[];
  readonly events: readonly PlannedEvent[];
  /** Time until it is overdue; 0 when it is. */
  readonly inMs: number;
  /** Whether it is overdue, and a platform administrator abandoned it. */
  readonly isAbandoned: boolean;
}

function overdueOf(
  { cluster }: Observed,
  { steps, current }: { readonly steps: readonly Step[]; readonly current: Step },
  now: Date,
): Overdue {
  const { deletionDeadline } = cluster.spec;
  const startedAt = new Date(cluster.metadata.deletionTimestamp ?? now).getTime();
  const inMs = Math.max(0, startedAt + parseDurationMs(deletionDeadline) - now.getTime());
  if (inMs > 0) return { conditions: [], events: [], inMs, isAbandoned: false };
  // Admission lets only platform administrators set it, and only now.
  const isAbandoned = cluster.metadata.annotations?.[annotations.abandon] === "true";
  const [reason, message] = isAbandoned
    ? ["Abandoned", abandonedText(steps)]
    : ["DeadlineExceeded", overdueText(cluster, current)];
  const event = { type: "Warning", reason: isAbandoned ? "ClusterAbandoned" : "DeletionOverdue", message } as const;
  return { conditions: [holds("DeletionOverdue", reason, message)], events: [event], inMs: 0, isAbandoned };
}

function overdueText({ metadata, spec }: TenantCluster, current: Step): string {
  return (
    `deletion exceeded its deadline of ${spec.deletionDeadline}: ${waitsFor(current)}. Find the cause with ` +
    `\`butlerctl cluster why ${metadata.name}\`, or ask a platform administrator to set the annotation ` +
    `${annotations.abandon}=true, which skips waiting for the workers`
  );
}

/** Lists everything, so that it can be looked up later. */
function abandonedText(steps: readonly Step[]): string {
  const left = steps.flatMap((step) => step.left);
  return (
    `the cluster is abandoned; resources left behind: ${left.join(", ")}. They count towards quota and keep their ` +
    "addresses. Make sure that the machines no longer exist, then remove the finalizers of these objects"
  );
}

/**
 * What is deleted of an abandoned cluster: all that runs in the management cluster. The addresses and the namespace, whose
 * credentials are needed to delete machines, come last as ever.
 */
function allAtOnce({ controlPlane }: Observed, steps: readonly Step[], at: number): readonly Removal[] {
  const last = steps.findIndex(({ type }) => type === "ControlPlaneRemoved");
  if (at > last) return steps[at]?.remove ?? [];
  const removals = [
    ...steps.slice(at, last + 1).flatMap(({ remove }) => remove),
    ...(controlPlane === undefined ? [] : [removalOf(StewardControlPlane, controlPlane)]),
  ];
  return [...new Map(removals.map((each) => [`${each.kind.kind} ${each.name}`, each])).values()];
}

function removalOf(kind: Kind, object: KubeObject): Removal {
  const { name, namespace, uid } = object.metadata;
  return { kind, name, namespace, uid: isBeingDeleted(object) ? undefined : uid };
}
