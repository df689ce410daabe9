import { int32 } from "@butler/resource";
import { z } from "zod";

/** How every add-on is looked after, on whichever cluster it is. */
export const addonUpkeep = {
  paused: z
    .boolean()
    .optional()
    .describe("Whether the add-on is left as it is, whatever this object says; when absent, it is not."),
  rollback: z
    .object({
      automatic: z
        .boolean()
        .default(true)
        .describe("Whether a failed upgrade goes back to the last revision that worked; true when absent."),
    })
    .optional()
    .describe("What happens when an upgrade fails; when absent, it is rolled back."),
  rollbackTo: int32()
    .min(1)
    .optional()
    .describe(
      "Revision of the release to go back to. While it is set, version and values are not applied; remove it to go forward again.",
    ),
  driftPolicy: z
    .enum(["Report", "Repair"])
    .default("Report")
    .describe("What is done when somebody changed what the chart made: Report says so, Repair also puts it back."),
} as const;
