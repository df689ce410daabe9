import type { Machine, MachineDeployment, MachineSet, MachineSpec } from "@butler/api-external";
import type { PoolInput } from "@butler/provider";
import { isBeingDeleted, isConditionTrue } from "@butler/resource";
import { poolLabel } from "./names.ts";
import type { Observed } from "./observed.ts";

/** The state of a pool of workers. */
export interface PoolProgress {
  readonly name: string;
  readonly desired: number;
  readonly ready: number;
  readonly upToDate: number;
  /** Whether the number of machines matches the spec, all of them ready and up to date. */
  readonly isSettled: boolean;
}

/**
 * Counts the machines of a pool directly. The MachineDeployment's counters are stale for a moment after a
 * change, and would report a replacement as done that has not started.
 */
export function poolProgress(
  { machines, machineSets }: Pick<Observed, "machines" | "machineSets">,
  pool: PoolInput,
  wanted: MachineDeployment | undefined,
): PoolProgress {
  const there = machines.filter(({ metadata }) => metadata.labels?.[poolLabel] === pool.name);
  const current = wanted && machineSets.find((set) => isMadeFrom(set, wanted.spec.template.spec));
  const ready = there.filter(({ status }) => isConditionTrue(status?.conditions, "Ready")).length;
  const upToDate = there.filter((machine) => belongsTo(machine, current)).length;
  const isComplete = [there.length, ready, upToDate].every((count) => count === pool.replicas);
  const isGrowing = current !== undefined && (current.spec.replicas ?? 0) !== pool.replicas;
  return {
    name: pool.name,
    desired: pool.replicas,
    ready,
    upToDate,
    isSettled: isComplete && !isGrowing && !there.some(isBeingDeleted),
  };
}

/** Machines of a MachineSet are replaced when these differ; Cluster API changes everything else in place. */
function isMadeFrom({ spec }: MachineSet, wanted: MachineSpec): boolean {
  const made = spec.template.spec;
  return (
    made.version === wanted.version &&
    made.infrastructureRef.name === wanted.infrastructureRef.name &&
    made.bootstrap.configRef?.name === wanted.bootstrap.configRef?.name
  );
}

function belongsTo({ metadata }: Machine, set: MachineSet | undefined): boolean {
  return set !== undefined && metadata.ownerReferences?.some(({ uid }) => uid === set.metadata.uid) === true;
}
