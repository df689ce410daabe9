import { int32 } from "@butler/resource";
import { z } from "zod";
import { helmValues } from "./helm-values.ts";

/** Defaults for new clusters, set by a Team or by one of its environments. */
export const clusterDefaults = z.object({
  kubernetesVersion: z.string().optional().describe("Kubernetes version for new clusters."),
  workerCount: int32().min(0).optional().describe("Number of worker nodes in new clusters."),
  workerCPU: int32().min(1).optional().describe("Number of CPU cores per worker."),
  workerMemoryGi: int32().min(1).optional().describe("Memory per worker, in GiB."),
  workerDiskGi: int32().min(10).optional().describe("Root disk size per worker, in GiB."),
  defaultAddons: z.array(z.string()).optional().describe("Add-ons installed on every new cluster."),
  addonValues: z
    .record(z.string(), helmValues)
    .optional()
    .describe("Helm values for add-ons, keyed by AddonDefinition name."),
});
