import { quantity } from "@butler/resource";
import { z } from "zod";

const amounts = z.object({
  cpu: quantity().optional().describe("CPU cores, such as 250m or 2; when absent nothing is stated about CPU."),
  memory: quantity().optional().describe("Memory, such as 512Mi; when absent nothing is stated about memory."),
});

const component = z.object({
  requests: amounts.optional().describe("What every pod of the component is guaranteed; when absent nothing is."),
  limits: amounts.optional().describe("What a pod of the component may use at most; when absent there is no ceiling."),
});

/** Sizes of the pods of a hosted control plane: the platform's default, or the override of one cluster. */
export const controlPlaneResources = z.object({
  apiServer: component.optional().describe("Size of kube-apiserver; when absent the next wider setting applies."),
  controllerManager: component
    .optional()
    .describe("Size of kube-controller-manager; when absent the next wider setting applies."),
  scheduler: component.optional().describe("Size of kube-scheduler; when absent the next wider setting applies."),
});
