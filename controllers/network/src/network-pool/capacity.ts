import { holds, lacks, type PlannedEvent } from "@butler/controller";
import { type Condition, type ConditionStatement, isConditionTrue } from "@butler/resource";

/** From which share of a pool on somebody should know, the worst first. */
const levels = [
  { percent: 95, condition: "CapacityExhausted", event: "PoolCapacityExhausted" },
  { percent: 85, condition: "CapacityCritical", event: "PoolCapacityCritical" },
  { percent: 70, condition: "CapacityWarning", event: "PoolCapacityWarning" },
] as const;

/** How much of a pool is not available, in percent; 100 only when nothing is. A pool without addresses is full. */
export function usedPercent(total: bigint, available: bigint): number {
  return total === 0n ? 100 : Number(((total - available) * 100n) / total);
}

/** The conditions about capacity, all of them always. */
export function capacityConditions(percent: number): ConditionStatement[] {
  return levels.map((level) => {
    const message = `${level.percent} % of the addresses are not available`;
    return percent >= level.percent
      ? holds(level.condition, "UtilizationAboveThreshold", `at least ${message}`)
      : lacks(level.condition, "UtilizationBelowThreshold", `less than ${message}`);
  });
}

/**
 * The event of a level that is reached now and was not before, or of having left all of them. What was before is written
 * in the pool, so that a new process does not tell it again.
 */
export function capacityEvents(before: readonly Condition[] | undefined, percent: number): PlannedEvent[] {
  const reached = levels.find((level) => percent >= level.percent);
  const was = levels.find(({ condition }) => isConditionTrue(before, condition));
  if (reached === undefined) {
    if (was === undefined) return [];
    const message = "less than 70 % of the addresses are in use again";
    return [{ type: "Normal", reason: "PoolCapacityRecovered", message }];
  }
  if (was !== undefined && was.percent >= reached.percent) return [];
  const message = `at least ${reached.percent} % of the addresses are in use; give the pool more, or release some`;
  return [{ type: "Warning", reason: reached.event, message }];
}
