import { conditions, defineResource, int32, observedGeneration, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { stewardGroup } from "./group.ts";
import { labelSelector } from "./pod-shapes.ts";

const compoundValue = withRules(
  z.object({
    stringValue: z.string().min(1).max(1024).optional().describe("The value itself."),
    fromDefinition: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe("Dot path to a field of the TenantControlPlane that holds the value, such as metadata.name."),
  }),
  {
    rule: "has(self.stringValue) != has(self.fromDefinition)",
    message: "exactly one of stringValue and fromDefinition is required",
  },
);

/** A rule that makes kubeconfigs for control planes. */
export const KubeconfigGenerator = defineResource({
  ...stewardGroup,
  kind: "KubeconfigGenerator",
  scope: "Cluster",
  shortNames: ["kc"],
  categories: ["steward"],
  doc: "KubeconfigGenerator makes a kubeconfig, in a Secret beside it, for every control plane that it selects.",
  spec: z.object({
    user: compoundValue.describe("User name in the client certificate."),
    groups: z.array(compoundValue).max(64).optional().describe("Groups in the client certificate."),
    namespaceSelector: labelSelector.optional().describe("Namespaces whose control planes are meant; absent, all."),
    tenantControlPlaneSelector: labelSelector
      .optional()
      .describe("Control planes that are meant in these namespaces; absent, all."),
    controlPlaneEndpointFrom: z
      .string()
      .min(1)
      .default("admin.svc")
      .describe("Key of the administrator's kubeconfig Secret whose server address is used."),
  }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
    resources: int32().default(0).describe("Control planes that are selected."),
    availableResources: int32().default(0).describe("Control planes whose kubeconfig is up to date."),
    errors: z
      .array(
        z.object({
          resource: z.string().describe("Control plane, as namespace/name."),
          message: z.string().describe("Why its kubeconfig could not be made."),
        }),
      )
      .optional()
      .describe("Control planes without an up-to-date kubeconfig."),
  }),
  columns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
  example: {
    apiVersion: "steward.butlerlabs.dev/v1alpha1",
    kind: "KubeconfigGenerator",
    metadata: { name: "auditors" },
    spec: {
      user: { stringValue: "auditor" },
      groups: [{ stringValue: "auditors" }, { fromDefinition: "metadata.namespace" }],
      tenantControlPlaneSelector: { matchLabels: { tier: "production" } },
    },
  },
});
export type KubeconfigGenerator = ObjectOf<typeof KubeconfigGenerator>;
