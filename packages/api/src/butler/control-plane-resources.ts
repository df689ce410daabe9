import { quantity } from "@butler/resource";
import { z } from "zod";

const amounts = z.object({
  cpu: quantity().optional().describe("CPU cores, such as 250m or 2. Not specified if unset."),
  memory: quantity().optional().describe("Memory, such as 512Mi. Not specified if unset."),
});

const component = z.object({
  requests: amounts
    .optional()
    .describe("Resource requests of each pod of the component. If unset, no requests are specified."),
  limits: amounts
    .optional()
    .describe("Resource limits of each pod of the component. If unset, no limits are specified."),
});

/** Sizes of the pods of a hosted control plane: the platform's default, or the override of one cluster. */
export const controlPlaneResources = z.object({
  apiServer: component
    .optional()
    .describe("Resources of kube-apiserver. Defaults to the setting of the next wider scope."),
  controllerManager: component
    .optional()
    .describe("Resources of kube-controller-manager. Defaults to the setting of the next wider scope."),
  scheduler: component
    .optional()
    .describe("Resources of kube-scheduler. Defaults to the setting of the next wider scope."),
});
