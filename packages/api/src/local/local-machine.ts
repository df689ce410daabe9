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

/** A machine that runs as a pod. */
export const LocalMachine = defineResource({
  ...infrastructureGroup,
  kind: "LocalMachine",
  scope: "Namespaced",
  shortNames: ["lm"],
  categories: ["cluster-api"],
  crdLabels: infrastructureContract,
  doc:
    "LocalMachine is a machine that runs as a pod with extensive capabilities in the management cluster, intended for " +
    "trusted tenants only.",
  rules: [
    {
      rule: "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63",
      message:
        "metadata.name is used as a hostname: it must consist of at most 63 lowercase letters, digits and '-', without dots",
    },
  ],
  spec: withRules(
    z.object({
      providerID: immutable(z.string().min(1).max(512), "providerID")
        .optional()
        .describe("Provider ID, also set on the Node. Set by the provider."),
      ...machineFields,
    }),
    ...keptOnceSet("providerID"),
  ),
  status: z.object({
    conditions: conditions("Ready", "PodReady", "BootstrapDataReady", "BootstrapSucceeded", "Paused", "Deleting"),
    observedGeneration: observedGeneration(),
    initialization: z
      .object({ provisioned: z.boolean().optional().describe("Whether the pod is running and has an address.") })
      .optional()
      .describe("Initialization status, as defined by the Cluster API contract."),
    addresses: z
      .array(
        z.object({
          type: z
            .enum(["Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"])
            .describe("Type of the address."),
          address: z.string().min(1).max(256).describe("Address of the machine."),
        }),
      )
      .max(32)
      .optional()
      .describe("Addresses of the machine."),
    podName: text("Name of the machine's pod."),
    nodeName: text("Management cluster node that the pod runs on."),
    phase: z
      .enum(["Pending", "Creating", "Bootstrapping", "Running", "Failed", "Deleting"])
      .optional()
      .describe("Current phase of the machine."),
    failureReason: text("Machine-readable reason for a terminal failure, in CamelCase."),
    failureMessage: text("Human-readable message about a terminal failure."),
  }),
  columns: {
    Phase: ".status.phase",
    Provisioned: { type: "boolean", jsonPath: ".status.initialization.provisioned" },
    ProviderID: ".spec.providerID",
    Pod: { jsonPath: ".status.podName", priority: 1 },
    Node: { jsonPath: ".status.nodeName", priority: 1 },
  },
  example: {
    metadata: { name: "blue-workers-x7k2p", namespace: "default" },
    spec: { cpu: "2", memory: "4Gi" },
  },
});
export type LocalMachine = ObjectOf<typeof LocalMachine>;
