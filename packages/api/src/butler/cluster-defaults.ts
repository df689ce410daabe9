import { int32 } from "@butler/resource";
import { z } from "zod";
import { helmValues } from "./helm-values.ts";

/** Presets for new clusters, held by a Team or by one of its environments. */
export const clusterDefaults = z.object({
  kubernetesVersion: z.string().optional().describe("Kubernetes version of new clusters."),
  workerCount: int32().min(0).optional().describe("Worker nodes of new clusters."),
  workerCPU: int32().min(1).optional().describe("CPU cores of each worker."),
  workerMemoryGi: int32().min(1).optional().describe("Memory of each worker, in GiB."),
  workerDiskGi: int32().min(10).optional().describe("Root disk of each worker, in GiB."),
  defaultAddons: z.array(z.string()).optional().describe("Add-ons that every new cluster gets."),
  addonValues: z
    .record(z.string(), helmValues)
    .optional()
    .describe("Helm values for add-ons of the clusters, by the name of their AddonDefinition."),
});
