import { holds, lacks, type PlannedEvent } from "@butler/controller";
import { type Condition, type ConditionStatement, isConditionTrue } from "@butler/resource";

/** Utilization thresholds with their conditions and events, highest first. */
const levels = [
  { percent: 95, condition: "CapacityExhausted", event: "PoolCapacityExhausted" },
  { percent: 85, condition: "CapacityCritical", event: "PoolCapacityCritical" },
  { percent: 70, condition: "CapacityWarning", event: "PoolCapacityWarning" },
] as const;

/** Utilization of a pool in percent; 100 only if no address is available. A pool without addresses is full. */
export function usedPercent(total: bigint, available: bigint): number {
  return total === 0n ? 100 : Number(((total - available) * 100n) / total);
}

/** All capacity conditions, always stated. */
export function capacityConditions(percent: number): ConditionStatement[] {
  return levels.map((level) => {
    const message = `${level.percent}% of addresses allocated or reserved`;
    return percent >= level.percent
      ? holds(level.condition, "UtilizationAboveThreshold", `at least ${message}`)
      : lacks(level.condition, "UtilizationBelowThreshold", `less than ${message}`);
  });
}

/**
 * The event of a newly reached threshold, or of recovery. The previous state is stored in the pool, so that a new
 * process does not repeat the event.
 */
export function capacityEvents(before: readonly Condition[] | undefined, percent: number): PlannedEvent[] {
  const reached = levels.find((level) => percent >= level.percent);
  const was = levels.find(({ condition }) => isConditionTrue(before, condition));
  if (reached === undefined) {
    if (was === undefined) return [];
    const message = "address usage is below 70% again";
    return [{ type: "Normal", reason: "PoolCapacityRecovered", message }];
  }
  if (was !== undefined && was.percent >= reached.percent) return [];
  const message = `at least ${reached.percent}% of the addresses are in use; extend the pool or release addresses`;
  return [{ type: "Warning", reason: reached.event, message }];
}
