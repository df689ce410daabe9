import { defineResource, type ObjectOf, stringMap } from "@butler/resource";
import { z } from "zod";
import { infrastructureContract, infrastructureGroup } from "./group.ts";
import { machineFields } from "./machine-shape.ts";

/** A template that a MachineDeployment creates machines from. */
export const LocalMachineTemplate = defineResource({
  ...infrastructureGroup,
  kind: "LocalMachineTemplate",
  scope: "Namespaced",
  shortNames: ["lmt"],
  categories: ["cluster-api"],
  crdLabels: infrastructureContract,
  doc: "LocalMachineTemplate is the template from which a Cluster API MachineDeployment creates LocalMachines.",
  spec: z.object({
    template: z
      .object({
        metadata: z
          .object({
            labels: stringMap().optional().describe("Labels for the machines."),
            annotations: stringMap().optional().describe("Annotations for the machines."),
          })
          .optional()
          .describe("Metadata for the machines."),
        spec: z.object(machineFields).describe("Spec for the machines."),
      })
      .describe("Template for the machines."),
  }),
  columns: {
    CPU: ".spec.template.spec.cpu",
    Memory: ".spec.template.spec.memory",
  },
  example: {
    metadata: { name: "blue-workers", namespace: "default" },
    spec: { template: { metadata: { labels: { pool: "workers" } }, spec: { cpu: "2", memory: "4Gi" } } },
  },
});
export type LocalMachineTemplate = ObjectOf<typeof LocalMachineTemplate>;
