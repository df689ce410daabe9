import { z } from "zod";
import { int64, listMap, time } from "./fields.ts";

/** A condition of an object, in the form that `kubectl wait` and `kubectl describe` expect. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number | undefined;
}

/** A condition as stated by a plan; time and generation are added on write. */
export type ConditionStatement = Pick<Condition, "type" | "status" | "reason" | "message">;

const conditionSchema = z.object({
  type: z
    .string()
    .max(316)
    .regex(
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
    )
    .describe("Type of the condition, in CamelCase."),
  status: z.enum(["True", "False", "Unknown"]).describe("Status of the condition, one of True, False, Unknown."),
  observedGeneration: int64()
    .min(0)
    .optional()
    .describe("The metadata.generation that the condition was set based upon."),
  lastTransitionTime: time().describe("Last time the condition transitioned from one status to another."),
  reason: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
    .describe("Machine-readable reason for the last transition, in CamelCase."),
  message: z
    .string()
    .max(32768)
    .describe("Human-readable message with details about the transition and how to resolve it."),
});

/** The `status.conditions` field. The types a kind uses are listed for the reference. */
export function conditions(...types: readonly string[]): z.ZodOptional<z.ZodArray<typeof conditionSchema>> {
  return listMap(conditionSchema, "type")
    .optional()
    .describe(`Latest observations of the object's state${types.length > 0 ? `: ${types.join(", ")}` : ""}.`);
}

/** The `status.observedGeneration` field. */
export const observedGeneration = (): z.ZodOptional<z.ZodInt> =>
  int64().optional().describe("The metadata.generation most recently observed by the controller.");

/** The condition of a given type, if the object has it. */
export function findCondition(list: readonly Condition[] | undefined, type: string): Condition | undefined {
  return list?.find((condition) => condition.type === type);
}

/** Whether the object has the condition with status True. */
export function isConditionTrue(list: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(list, type)?.status === "True";
}

export interface MergeConditionsInput {
  readonly current: readonly Condition[] | undefined;
  readonly stated: readonly ConditionStatement[];
  readonly generation: number | undefined;
  readonly now: Date;
}

/**
 * Merges the stated conditions into the current ones. The transition time changes only if the status
 * does, so stating the same conditions again changes nothing.
 */
export function mergeConditions({ current, stated, generation, now }: MergeConditionsInput): Condition[] {
  const before = new Map((current ?? []).map((condition) => [condition.type, condition]));
  const merged = new Map(before);
  for (const next of stated) {
    const earlier = before.get(next.type);
    merged.set(next.type, {
      type: next.type,
      status: next.status,
      reason: next.reason,
      message: next.message,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      lastTransitionTime:
        earlier?.status === next.status ? earlier.lastTransitionTime : now.toISOString().replace(/\.\d+Z$/, "Z"),
    });
  }
  return [...merged.values()];
}
