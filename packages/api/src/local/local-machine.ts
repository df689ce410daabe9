import {
  conditions,
  defineResource,
  immutable,
  keptOnceSet,
  observedGeneration,
  type ObjectOf,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { infrastructureContract, infrastructureGroup } from "./group.ts";
import { machineFields } from "./machine-shape.ts";

const text = (doc: string) => z.string().optional().describe(doc);

/** A machine that is a pod. */
export const LocalMachine = defineResource({
  ...infrastructureGroup,
  kind: "LocalMachine",
  scope: "Namespaced",
  shortNames: ["lm"],
  categories: ["cluster-api"],
  crdLabels: infrastructureContract,
  doc: "LocalMachine is a machine that is a privileged pod of the management cluster. It is meant for trusted tenants.",
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",
      message: "metadata.name becomes a host name: at most 63 lower-case letters, digits and '-', without dots",
    },
  ],
  spec: withRules(
    z.object({
      providerID: immutable(z.string().min(1).max(512), "providerID")
        .optional()
        .describe("Identity that the Node carries too; the provider fills it in."),
      ...machineFields,
    }),
    ...keptOnceSet("providerID"),
  ),
  status: z.object({
    conditions: conditions("Ready", "PodReady", "BootstrapDataReady", "BootstrapSucceeded", "Paused", "Deleting"),
    observedGeneration: observedGeneration(),
    initialization: z
      .object({ provisioned: z.boolean().optional().describe("Whether the pod runs and has an address.") })
      .optional()
      .describe("Milestones of the first start, as Cluster API reads them."),
    addresses: z
      .array(
        z.object({
          type: z
            .enum(["Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"])
            .describe("Kind of address."),
          address: z.string().min(1).max(256).describe("The address."),
        }),
      )
      .max(32)
      .optional()
      .describe("Addresses of the machine."),
    podName: text("Pod that is the machine."),
    nodeName: text("Node of the management cluster that the pod runs on."),
    phase: z
      .enum(["Pending", "Creating", "Bootstrapping", "Running", "Failed", "Deleting"])
      .optional()
      .describe("Where the machine is in its life."),
    failureReason: text("Why the machine cannot come to be, as one word."),
    failureMessage: text("Why the machine cannot come to be, as a sentence."),
  }),
  columns: [
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Provisioned", type: "boolean", jsonPath: ".status.initialization.provisioned" },
    { name: "ProviderID", type: "string", jsonPath: ".spec.providerID" },
    { name: "Pod", type: "string", jsonPath: ".status.podName", priority: 1 },
    { name: "Node", type: "string", jsonPath: ".status.nodeName", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha1",
    kind: "LocalMachine",
    metadata: { name: "blue-workers-x7k2p", namespace: "default" },
    spec: { cpu: "2", memory: "4Gi" },
  },
});
export type LocalMachine = ObjectOf<typeof LocalMachine>;
