import { z } from "zod";
import { int64, listMap, time } from "./fields.ts";

/** One statement about an object, in the form that `kubectl wait` and `kubectl describe` understand. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number | undefined;
}

/** A condition as a plan states it; the time and the generation are added when it is written. */
export type ConditionStatement = Pick<Condition, "type" | "status" | "reason" | "message">;

const conditionSchema = z.object({
  type: z
    .string()
    .max(316)
    .regex(
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
    )
    .describe("What the condition is about, in CamelCase."),
  status: z.enum(["True", "False", "Unknown"]).describe("Whether it holds."),
  observedGeneration: int64().min(0).optional().describe("The metadata.generation this condition was computed from."),
  lastTransitionTime: time().describe("When the status last changed."),
  reason: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
    .describe("Why, as one CamelCase word for programs."),
  message: z.string().max(32768).describe("Why, and what to do about it, for people."),
});

/** The `status.conditions` field. The types a kind uses are listed for the reference. */
export function conditions(...types: readonly string[]): z.ZodOptional<z.ZodArray<typeof conditionSchema>> {
  return listMap(conditionSchema, "type")
    .optional()
    .describe(`What is true of the object now${types.length > 0 ? `: ${types.join(", ")}` : ""}.`);
}

/** The `status.observedGeneration` field. */
export const observedGeneration = (): z.ZodOptional<z.ZodInt> =>
  int64().optional().describe("The metadata.generation that the status was computed from.");

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
 * The conditions after the stated ones are laid over the current ones. The transition time moves only when the status
 * does, so stating the same thing again changes nothing.
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
