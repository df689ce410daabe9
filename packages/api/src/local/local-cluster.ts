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
  doc: "LocalCluster provides the infrastructure for a Cluster API Cluster whose machines run as pods in the management cluster.",
  spec: z.object({
    controlPlaneEndpoint: z
      .object({
        host: z.string().min(1).max(512).describe("Address or DNS name of the API server."),
        port: int32().min(1).max(65535).describe("Port of the API server."),
      })
      .optional()
      .describe("Endpoint of the API server. Set by the control plane provider."),
    podNetwork: z
      .enum(["Butler", "None"])
      .default("Butler")
      .describe(
        "Pod network across machines. Butler: Butler's own pod network. None: no pod network, for clusters with a CNI add-on.",
      ),
  }),
  status: z.object({
    conditions: conditions("Ready", "PodNetworkInstalled", "Paused", "Deleting"),
    observedGeneration: observedGeneration(),
    initialization: z
      .object({
        provisioned: z
          .boolean()
          .optional()
          .describe("Whether the infrastructure is provisioned. Never reset to false."),
      })
      .optional()
      .describe("Initialization status, as defined by the Cluster API contract."),
    podNetwork: z
      .object({
        digest: z.string().optional().describe("Digest of the objects applied to the cluster."),
        lastApplied: z.iso.datetime().optional().describe("Time at which the objects were last applied."),
      })
      .optional()
      .describe("Status of Butler's own pod network."),
    failureDomains: listMap(
      z.object({
        name: z.string().min(1).max(256).describe("Name of the domain."),
        controlPlane: z.boolean().optional().describe("Whether control plane machines can be placed in the domain."),
        attributes: stringMap().optional().describe("Additional attributes of the domain."),
      }),
      "name",
    )
      .max(100)
      .optional()
      .describe("Failure domains of the infrastructure."),
  }),
  columns: {
    Provisioned: { type: "boolean", jsonPath: ".status.initialization.provisioned" },
    Endpoint: ".spec.controlPlaneEndpoint.host",
    Port: { type: "integer", jsonPath: ".spec.controlPlaneEndpoint.port", priority: 1 },
  },
  example: {
    metadata: { name: "blue", namespace: "default" },
    spec: { controlPlaneEndpoint: { host: "10.40.1.100", port: 6443 } },
  },
});
export type LocalCluster = ObjectOf<typeof LocalCluster>;
