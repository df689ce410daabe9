import { quantity } from "@butler/resource";
import { z } from "zod";

const amounts = z.object({
  cpu: quantity().optional().describe("Amount of CPU, such as 250m or 2. If unset, CPU is not specified."),
  memory: quantity().optional().describe("Amount of memory, such as 512Mi. If unset, memory is not specified."),
});

const component = z.object({
  requests: amounts
    .optional()
    .describe("Resource requests for each of the component's pods. If unset, no requests are specified."),
  limits: amounts
    .optional()
    .describe("Resource limits for each of the component's pods. If unset, no limits are specified."),
});

/** Sizes of the pods of a hosted control plane: the platform's default, or the override of one cluster. */
export const controlPlaneResources = z.object({
  apiServer: component
    .optional()
    .describe("Resources for kube-apiserver. Defaults to the setting in the next broader scope."),
  controllerManager: component
    .optional()
    .describe("Resources for kube-controller-manager. Defaults to the setting in the next broader scope."),
  scheduler: component
    .optional()
    .describe("Resources for kube-scheduler. Defaults to the setting in the next broader scope."),
});
