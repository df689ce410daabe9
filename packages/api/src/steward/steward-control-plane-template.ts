import { defineResource, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { controlPlaneContracts, controlPlaneGroup } from "./group.ts";
import { additionalMetadata } from "./pod-shapes.ts";
import { controlPlaneFields, controlPlaneRules } from "./steward-control-plane-shape.ts";

/** What a ClusterClass makes control planes from. */
export const StewardControlPlaneTemplate = defineResource({
  ...controlPlaneGroup,
  kind: "StewardControlPlaneTemplate",
  scope: "Namespaced",
  shortNames: ["stcpt"],
  categories: ["cluster-api", "steward"],
  crdLabels: controlPlaneContracts,
  doc: "StewardControlPlaneTemplate is what a Cluster API ClusterClass makes StewardControlPlanes from.",
  spec: z.object({
    template: z
      .object({
        metadata: additionalMetadata.optional().describe("Labels and annotations of the control planes."),
        spec: withRules(z.object(controlPlaneFields), ...controlPlaneRules).describe(
          "Fields of the control planes; version, replicas and endpoint come from the Cluster.",
        ),
      })
      .describe("The control planes that are made."),
  }),
  columns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
  example: {
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha1",
    kind: "StewardControlPlaneTemplate",
    metadata: { name: "small", namespace: "default" },
    spec: {
      template: {
        metadata: { labels: { size: "small" } },
        spec: {
          dataStoreName: "default",
          addons: { coreDNS: {}, kubeProxy: {}, konnectivity: {} },
          network: { serviceType: "LoadBalancer" },
        },
      },
    },
  },
});
export type StewardControlPlaneTemplate = ObjectOf<typeof StewardControlPlaneTemplate>;
