import { type CelRule, quantity, stringMap, withRules } from "@butler/resource";
import { z } from "zod";
import { toleration } from "../steward/pod-shapes.ts";

const positive: CelRule = {
  rule: "type(self) == int ? self > 0 : (!isQuantity(string(self)) || quantity(string(self)).isGreaterThan(quantity('0')))",
  message: "must be greater than 0",
};

/** The fields that a LocalMachine and its template share. */
export const machineFields = {
  cpu: withRules(quantity(), positive).default("2").describe("Number of CPU cores for the machine."),
  memory: withRules(quantity(), positive).default("2Gi").describe("Memory for the machine."),
  reservedCpu: withRules(quantity(), positive)
    .optional()
    .describe(
      "Number of CPU cores reserved for the machine. Defaults to the value of cpu. The machine can always use as many cores as cpu specifies.",
    ),
  image: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Image for the machine. Must be listed in ButlerConfig.spec.localMachines.allowedImages. Defaults to the node " +
        "image for the Machine's Kubernetes version.",
    ),
  nodeSelector: stringMap().optional().describe("Labels that a node must have to run the machine's pod."),
  tolerations: z.array(toleration).optional().describe("Tolerations for the machine's pod."),
};
