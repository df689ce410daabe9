import {
  conditions,
  defineResource,
  duration,
  formattedText,
  localRef,
  observedGeneration,
  type ObjectOf,
  time,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { addonPhases, addonProgress } from "./addon-progress.ts";
import { addonUpkeep } from "./addon-upkeep.ts";
import { butlerGroup } from "./group.ts";
import { helmRelease } from "./helm-release.ts";
import { helmValues } from "./helm-values.ts";

const chart = z.object({
  repository: formattedText({
    pattern: "^(https?|oci([+]http)?)://[^ ]+$",
    message: "must be the URL of a chart repository such as https://charts.example.com or oci://ghcr.io/example",
    maxLength: 2048,
  }).describe("URL of the chart repository: https, http or oci; oci+http for a registry without TLS."),
  chart: z.string().min(1).describe("Name of the chart in the repository."),
  releaseName: z.string().optional().describe("Name of the Helm release; when empty, that of the TenantAddon."),
  namespace: z
    .string()
    .optional()
    .describe("Namespace in the tenant cluster to install into; when empty, one named like the chart."),
  createNamespace: z
    .boolean()
    .default(true)
    .describe("Whether to make the namespace when it does not exist; true when absent."),
  credentialsRef: localRef("Secret")
    .optional()
    .describe(
      "Secret in the TenantAddon's namespace for a repository that asks who one is or that a private authority vouches for: keys username, password and ca.crt, each optional.",
    ),
});

/** An add-on inside one tenant cluster; deleting the object uninstalls it. */
export const TenantAddon = defineResource({
  ...butlerGroup,
  kind: "TenantAddon",
  scope: "Namespaced",
  shortNames: ["ta"],
  doc:
    "TenantAddon installs an add-on into a tenant cluster, from the catalogue or from any Helm chart, and keeps it " +
    "at the wanted version. Deleting the object uninstalls the add-on.",
  rules: [
    {
      rule: "!has(self.spec.dependsOn) || self.spec.dependsOn.all(d, d.name != self.metadata.name)",
      message: "must name other TenantAddons, not this one",
      fieldPath: ".spec.dependsOn",
    },
  ],
  spec: withRules(
    z.object({
      clusterRef: localRef("TenantCluster").describe("TenantCluster in the same namespace to install into."),
      addon: z
        .string()
        .optional()
        .describe("Name of an AddonDefinition of the catalogue. Either this or helm is set; empty counts as not set."),
      version: z
        .string()
        .optional()
        .describe("Version to install; when empty, the AddonDefinition's default, or the newest version of the chart."),
      helm: chart.optional().describe("A chart that is not in the catalogue. Either this or addon is set."),
      values: helmValues
        .optional()
        .describe("Helm values, laid over those of the AddonDefinition; when absent nothing is changed."),
      dependsOn: z
        .array(z.object({ name: z.string().min(1).max(253).describe("Name of the TenantAddon.") }))
        .max(64)
        .optional()
        .describe(
          "TenantAddons in the same namespace that must be ready first, besides those of the AddonDefinition; when empty, none.",
        ),
      timeout: duration()
        .optional()
        .describe(
          "How long an installation or upgrade may take until everything is ready; when absent, the AddonDefinition's, or else 10m.",
        ),
      ...addonUpkeep,
    }),
    {
      rule: "(has(self.addon) && self.addon != '') != has(self.helm)",
      message: "exactly one of addon (a name in the catalogue) and helm (a chart) must be set",
    },
  ),
  status: addonProgress.extend({
    conditions: conditions("ClusterReady", "DependenciesMet", "Installed", "Healthy", "InSync", "Ready"),
    phase: z
      .enum([...addonPhases, "Deleting"])
      .optional()
      .describe("Where the add-on is in its life; Degraded means installed and not well."),
    installedVersion: z.string().optional().describe("Version that runs now."),
    helmRelease: helmRelease.optional().describe("The Helm release that the add-on is."),
    observedGeneration: observedGeneration(),
    lastTransitionTime: time().optional().describe("When the phase last changed."),
    message: z.string().optional().describe("What is going on, for people."),
  }),
  columns: [
    { name: "Cluster", type: "string", jsonPath: ".spec.clusterRef.name" },
    { name: "Addon", type: "string", jsonPath: ".spec.addon" },
    { name: "Version", type: "string", jsonPath: ".spec.version" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Installed", type: "string", jsonPath: ".status.installedVersion" },
    { name: "Message", type: "string", jsonPath: ".status.message", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "TenantAddon",
    metadata: { name: "shop-podinfo", namespace: "payments" },
    spec: {
      clusterRef: { name: "shop" },
      version: "6.7.0",
      helm: { repository: "oci://ghcr.io/stefanprodan/charts", chart: "podinfo", namespace: "demo" },
      values: { replicaCount: 2 },
      dependsOn: [{ name: "shop-ingress" }],
    },
  },
});
export type TenantAddon = ObjectOf<typeof TenantAddon>;
