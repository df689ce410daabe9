import { conditions, defineResource, observedGeneration, type ObjectOf, time } from "@butler/resource";
import { z } from "zod";
import { addonPhases, addonProgress } from "./addon-progress.ts";
import { addonUpkeep } from "./addon-upkeep.ts";
import { butlerGroup } from "./group.ts";
import { helmRelease } from "./helm-release.ts";
import { helmValues } from "./helm-values.ts";

/** An add-on of the management cluster itself. */
export const ManagementAddon = defineResource({
  ...butlerGroup,
  kind: "ManagementAddon",
  scope: "Cluster",
  shortNames: ["ma", "maddon"],
  doc: "ManagementAddon installs an add-on from the catalog on the management cluster. Deleting it uninstalls the add-on.",
  spec: z.object({
    addon: z.string().min(1).describe("Name of the AddonDefinition."),
    version: z.string().optional().describe("Chart version. Defaults to the AddonDefinition's default version."),
    values: helmValues.optional().describe("Helm values, merged over the values in the AddonDefinition."),
    ...addonUpkeep,
  }),
  status: addonProgress.extend({
    phase: z
      .enum([...addonPhases, "Uninstalling"])
      .optional()
      .describe("Current phase of the add-on."),
    installedVersion: z.string().optional().describe("Currently installed version."),
    helmRelease: helmRelease.optional().describe("Helm release of the add-on."),
    message: z.string().optional().describe("Human-readable message about the current phase."),
    lastAttemptedVersion: z.string().optional().describe("Version of the last attempt, whether or not it succeeded."),
    lastTransitionTime: time().optional().describe("Time of the last phase change."),
    conditions: conditions("DependenciesMet", "Installed", "Healthy", "InSync", "Ready", "Progressing", "Degraded"),
    observedGeneration: observedGeneration(),
  }),
  columns: {
    Addon: ".spec.addon",
    Version: ".spec.version",
    Phase: ".status.phase",
    Installed: ".status.installedVersion",
  },
  example: {
    metadata: { name: "metrics-server" },
    spec: { addon: "metrics-server", version: "3.12.2", values: { replicas: 2 } },
  },
});
export type ManagementAddon = ObjectOf<typeof ManagementAddon>;
