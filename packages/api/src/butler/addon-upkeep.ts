import { int32 } from "@butler/resource";
import { z } from "zod";

/** Fields that control how an add-on is managed; shared by all add-on kinds. */
export const addonUpkeep = {
  paused: z.boolean().optional().describe("Whether reconciliation of the add-on is paused. Defaults to false."),
  rollback: z
    .object({
      automatic: z
        .boolean()
        .default(true)
        .describe("Whether to roll back a failed upgrade to the last working revision. Defaults to true."),
    })
    .optional()
    .describe("Behavior when an upgrade fails. If unset, the upgrade is rolled back."),
  rollbackTo: int32()
    .min(1)
    .optional()
    .describe(
      "Release revision to roll back to. While set, changes to version and values are not applied. Remove the field to resume upgrades.",
    ),
  driftPolicy: z
    .enum(["Report", "Repair"])
    .default("Report")
    .describe(
      "What to do if an object differs from the chart's manifest. Report only reports the drift; Repair also reverts it.",
    ),
} as const;
