import { annotations, IPAllocation, TenantAddon } from "@butler/api";
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
 * one before it and reports what it waits for; an overdue one is reported, and abandoned only on a user's request.
 */
export function planDeletion(observed: Observed, now: Date): Plan {
  const { cluster } = observed;
  const steps = stepsOf(observed);
  const at = steps.findIndex(({ left }) => left.length > 0);
  const current = steps[at];
  if (current === undefined) return { finalizer: "release" };
  if (cluster.metadata.annotations?.[annotations.abandon] === "true") return abandoned(observed, steps);
  const { conditions: _conditions, observedGeneration: _generation, ...before } = cluster.status ?? {};
  const overdue = overdueOf(observed, current, now);
  return {
    finalizer: "hold",
    remove: current.remove,
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
}

function overdueOf({ cluster }: Observed, current: Step, now: Date): Overdue {
  const { deletionDeadline } = cluster.spec;
  const startedAt = new Date(cluster.metadata.deletionTimestamp ?? now).getTime();
  const inMs = Math.max(0, startedAt + parseDurationMs(deletionDeadline) - now.getTime());
  if (inMs > 0) return { conditions: [], events: [], inMs };
  const message =
    `deletion exceeded its deadline of ${deletionDeadline}: ${waitsFor(current)}. Find the cause with \`butlerctl cluster why ` +
    `${cluster.metadata.name}\`, or set the annotation ${annotations.abandon}=true to abandon the cluster, ` +
    "which leaves these resources behind";
  return {
    conditions: [holds("DeletionOverdue", "DeadlineExceeded", message)],
    events: [{ type: "Warning", reason: "DeletionOverdue", message }],
    inMs: 0,
  };
}

/** Releases the cluster and leaves a list of the leftovers; the list has no owner, so that it outlives the cluster. */
function abandoned({ cluster }: Observed, steps: readonly Step[]): Plan {
  const { name, namespace, uid } = cluster.metadata;
  const left = steps.flatMap((step) => step.left);
  const message = `cluster abandoned; resources left behind: ${left.join(", ")}`;
  const report = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${name}-abandoned-${(uid ?? "").slice(0, 8)}`, namespace, ownerReferences: [] },
    data: { left: left.join("\n") },
  };
  return {
    finalizer: "release",
    apply: [report],
    events: [{ type: "Warning", reason: "ClusterAbandoned", message }],
  };
}

function removalOf(kind: Kind, object: KubeObject): Removal {
  const { name, namespace, uid } = object.metadata;
  return { kind, name, namespace, uid: isBeingDeleted(object) ? undefined : uid };
}
