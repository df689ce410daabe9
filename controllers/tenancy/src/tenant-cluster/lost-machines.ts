import { Machine } from "@butler/api-external";
import type { PlannedEvent, Removal } from "@butler/controller";
import { findCondition, isBeingDeleted } from "@butler/resource";

/** The plan for machines that can never become nodes. */
export interface LostMachines {
  readonly remove: readonly Removal[];
  readonly events: readonly PlannedEvent[];
  /** When to check again those whose object went missing only recently. */
  readonly requeueAfterMs?: number;
}

/** Cluster API's reasons for an object that a Machine refers to and that does not exist, or no longer exists. */
const goneReasons: readonly string[] = ["ObjectDoesNotExist", "ObjectDeleted"];

/** Cluster API's cache may be stale for a moment; the object then appears within this time. */
const patienceMs = 20_000;

/**
 * Finds machines whose infrastructure or bootstrap object is missing, and deletes them so that their MachineSet creates
 * new ones. Cluster API itself leaves such a Machine behind when the API server stops while storing it: it treats the
 * aborted response as a failure and deletes what it created for the Machine, which then waits for it indefinitely.
 */
export function lostMachines(machines: readonly Machine[], now: Date): LostMachines {
  const missing = machines.flatMap((machine) => {
    const since = isBeingDeleted(machine) ? undefined : missingSince(machine);
    return since === undefined ? [] : [{ machine, restMs: since + patienceMs - now.getTime() }];
  });
  const lost = missing.filter(({ restMs }) => restMs <= 0).map(({ machine }) => machine);
  const waiting = missing.map(({ restMs }) => restMs).filter((restMs) => restMs > 0);
  return {
    remove: lost.map(({ metadata: { name, namespace, uid } }) => ({ kind: Machine, name, namespace, uid })),
    events: lost.map(({ metadata, spec }) => ({
      type: "Warning",
      reason: "MachineLost",
      message: `${spec.infrastructureRef.kind} of Machine ${metadata.name} no longer exists; replacing the Machine`,
    })),
    ...(waiting.length === 0 ? {} : { requeueAfterMs: Math.min(...waiting) }),
  };
}

function missingSince({ spec, status }: Machine): number | undefined {
  const needed = [
    "InfrastructureReady",
    ...(spec.bootstrap.dataSecretName === undefined ? ["BootstrapConfigReady"] : []),
  ];
  const since = needed
    .map((type) => findCondition(status?.conditions, type))
    .filter((found) => found?.status === "False" && goneReasons.includes(found.reason))
    .map((found) => Date.parse(found?.lastTransitionTime ?? ""))
    .filter((time) => !Number.isNaN(time));
  return since.length === 0 ? undefined : Math.min(...since);
}
