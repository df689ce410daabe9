import { defineResource, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { controlPlaneContracts, controlPlaneGroup } from "./group.ts";
import { additionalMetadata } from "./pod-shapes.ts";
import { controlPlaneFields, controlPlaneRules } from "./steward-control-plane-shape.ts";

/** A template that a ClusterClass creates control planes from. */
export const StewardControlPlaneTemplate = defineResource({
  ...controlPlaneGroup,
  kind: "StewardControlPlaneTemplate",
  scope: "Namespaced",
  shortNames: ["stcpt"],
  categories: ["cluster-api", "steward"],
  crdLabels: controlPlaneContracts,
  doc: "StewardControlPlaneTemplate is the template from which a Cluster API ClusterClass creates StewardControlPlanes.",
  spec: z.object({
    template: z
      .object({
        metadata: additionalMetadata.optional().describe("Labels and annotations for the control planes."),
        spec: withRules(z.object(controlPlaneFields), ...controlPlaneRules).describe(
          "Spec for the control planes. Version, replicas and endpoint are set from the Cluster.",
        ),
      })
      .describe("Template for the control planes."),
  }),
  columns: {},
  example: {
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
