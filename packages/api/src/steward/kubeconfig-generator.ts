import { conditions, defineResource, int32, observedGeneration, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { stewardGroup } from "./group.ts";
import { labelSelector } from "./pod-shapes.ts";

const compoundValue = withRules(
  z.object({
    stringValue: z.string().min(1).max(1024).optional().describe("Literal value."),
    fromDefinition: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe("Path to the TenantControlPlane field that contains the value, such as metadata.name."),
  }),
  {
    rule: "has(self.stringValue) != has(self.fromDefinition)",
    message: "exactly one of stringValue or fromDefinition must be set",
  },
);

/** A generator of kubeconfigs for control planes. */
export const KubeconfigGenerator = defineResource({
  ...stewardGroup,
  kind: "KubeconfigGenerator",
  scope: "Cluster",
  shortNames: ["kc"],
  categories: ["steward"],
  doc: "KubeconfigGenerator creates a Secret with a kubeconfig for each selected control plane, in the control plane's namespace.",
  spec: z.object({
    user: compoundValue.describe("User name in the client certificate."),
    groups: z.array(compoundValue).max(64).optional().describe("Groups in the client certificate."),
    namespaceSelector: labelSelector
      .optional()
      .describe("Selects the namespaces of the control planes. If unset, all namespaces are selected."),
    tenantControlPlaneSelector: labelSelector
      .optional()
      .describe("Selects control planes in these namespaces. If unset, all control planes are selected."),
    controlPlaneEndpointFrom: z
      .string()
      .min(1)
      .default("admin.svc")
      .describe("Key in the admin kubeconfig Secret from which to take the server URL."),
  }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
    resources: int32().default(0).describe("Number of selected control planes."),
    availableResources: int32().default(0).describe("Number of control planes with an up-to-date kubeconfig."),
    errors: z
      .array(
        z.object({
          resource: z.string().describe("Control plane, as namespace/name."),
          message: z.string().describe("Reason the kubeconfig could not be generated."),
        }),
      )
      .optional()
      .describe("Control planes without an up-to-date kubeconfig."),
  }),
  columns: {},
  example: {
    metadata: { name: "auditors" },
    spec: {
      user: { stringValue: "auditor" },
      groups: [{ stringValue: "auditors" }, { fromDefinition: "metadata.namespace" }],
      tenantControlPlaneSelector: { matchLabels: { tier: "production" } },
    },
  },
});
export type KubeconfigGenerator = ObjectOf<typeof KubeconfigGenerator>;
