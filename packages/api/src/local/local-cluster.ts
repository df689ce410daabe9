import {
  conditions,
  defineResource,
  int32,
  listMap,
  observedGeneration,
  type ObjectOf,
  stringMap,
} from "@butler/resource";
import { z } from "zod";
import { infrastructureContract, infrastructureGroup } from "./group.ts";

/** The infrastructure of a Cluster API Cluster whose machines are pods. */
export const LocalCluster = defineResource({
  ...infrastructureGroup,
  kind: "LocalCluster",
  scope: "Namespaced",
  shortNames: ["lc"],
  categories: ["cluster-api"],
  crdLabels: infrastructureContract,
  doc: "LocalCluster is the infrastructure of a Cluster API Cluster whose machines are pods of the management cluster.",
  spec: z.object({
    controlPlaneEndpoint: z
      .object({
        host: z.string().min(1).max(512).describe("Address or DNS name of the API server."),
        port: int32().min(1).max(65535).describe("Port of the API server."),
      })
      .optional()
      .describe("Where clients reach the API server; the control-plane provider fills it in."),
    podNetwork: z
      .enum(["Butler", "None"])
      .default("Butler")
      .describe("Network between the pods of different machines: Butler's own, or none when an add-on brings one."),
  }),
  status: z.object({
    conditions: conditions("Ready", "PodNetworkInstalled", "Paused", "Deleting"),
    observedGeneration: observedGeneration(),
    initialization: z
      .object({ provisioned: z.boolean().optional().describe("Whether machines can be made; never goes back.") })
      .optional()
      .describe("Milestones of the first start, as Cluster API reads them."),
    podNetwork: z
      .object({
        digest: z.string().optional().describe("Digest of the objects that were applied to the cluster."),
        lastApplied: z.iso.datetime().optional().describe("When they were applied last."),
      })
      .optional()
      .describe("What was installed of Butler's own pod network."),
    failureDomains: listMap(
      z.object({
        name: z.string().min(1).max(256).describe("Name of the domain."),
        controlPlane: z.boolean().optional().describe("Whether control-plane machines may be placed there."),
        attributes: stringMap().optional().describe("Further facts about the domain."),
      }),
      "name",
    )
      .max(100)
      .optional()
      .describe("Parts of the infrastructure that fail independently of each other."),
  }),
  columns: [
    { name: "Provisioned", type: "boolean", jsonPath: ".status.initialization.provisioned" },
    { name: "Endpoint", type: "string", jsonPath: ".spec.controlPlaneEndpoint.host" },
    { name: "Port", type: "integer", jsonPath: ".spec.controlPlaneEndpoint.port", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha1",
    kind: "LocalCluster",
    metadata: { name: "blue", namespace: "default" },
    spec: { controlPlaneEndpoint: { host: "10.40.1.100", port: 6443 } },
  },
});
export type LocalCluster = ObjectOf<typeof LocalCluster>;
