import { Machine } from "@butler/api-external";
import type { PlannedEvent, Removal } from "@butler/controller";
import { findCondition, isBeingDeleted } from "@butler/resource";

/** What is to be done about machines that can never become nodes. */
export interface LostMachines {
  readonly remove: readonly Removal[];
  readonly events: readonly PlannedEvent[];
  /** When to look again at those that are missing something for only a moment so far. */
  readonly requeueAfterMs?: number;
}

/** Cluster API's words for an object that a Machine refers to and that is not there, or no longer. */
const goneReasons: readonly string[] = ["ObjectDoesNotExist", "ObjectDeleted"];

/** A cache of Cluster API's may be behind for a moment; then what it misses turns up. */
const patienceMs = 20_000;

/**
 * Finds machines whose infrastructure or bootstrap object is gone, and removes them so that their MachineSet makes new
 * ones. Cluster API itself leaves such a Machine behind when the API server ends while it is being stored: it takes the
 * broken answer for a failure and removes what it had made for the Machine, which then waits for it for ever.
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
      message: `${spec.infrastructureRef.kind} of Machine ${metadata.name} is gone; the Machine is replaced`,
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
