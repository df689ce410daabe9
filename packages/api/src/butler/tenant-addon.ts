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
  }).describe(
    "URL of the chart repository. Supported schemes are https, http, oci and, for registries without TLS, oci+http.",
  ),
  chart: z.string().min(1).describe("Name of the chart in the repository."),
  releaseName: z.string().optional().describe("Name of the Helm release. Defaults to the TenantAddon name."),
  namespace: z
    .string()
    .optional()
    .describe("Namespace in the tenant cluster to install into. Defaults to the chart name."),
  createNamespace: z
    .boolean()
    .default(true)
    .describe("Whether to create the namespace if it does not exist. Defaults to true."),
  credentialsRef: localRef("Secret")
    .optional()
    .describe(
      "Secret in the TenantAddon's namespace for a repository that requires authentication or uses a private CA. Keys: username, password and ca.crt, each optional.",
    ),
});

/** An add-on inside one tenant cluster; deleting the object uninstalls it. */
export const TenantAddon = defineResource({
  ...butlerGroup,
  kind: "TenantAddon",
  scope: "Namespaced",
  shortNames: ["ta"],
  doc:
    "TenantAddon installs an add-on in a tenant cluster, from the catalog or from any Helm chart, and keeps " +
    "it at the specified version. Deleting it uninstalls the add-on.",
  rules: [
    {
      rule: "!has(self.spec.dependsOn) || self.spec.dependsOn.all(d, d.name != self.metadata.name)",
      message: "must not reference the TenantAddon itself",
      fieldPath: ".spec.dependsOn",
    },
  ],
  spec: withRules(
    z.object({
      clusterRef: localRef("TenantCluster").describe("TenantCluster in the same namespace to install the add-on in."),
      addon: z
        .string()
        .optional()
        .describe(
          "Name of an AddonDefinition in the catalog. Exactly one of addon or helm must be set. An empty string counts as unset.",
        ),
      version: z
        .string()
        .optional()
        .describe(
          "Version to install. Defaults to the AddonDefinition's default version, or to the newest chart version.",
        ),
      helm: chart
        .optional()
        .describe("Helm chart that is not in the catalog. Exactly one of addon or helm must be set."),
      values: helmValues.optional().describe("Helm values, merged over the values in the AddonDefinition."),
      dependsOn: z
        .array(z.object({ name: z.string().min(1).max(253).describe("Name of the TenantAddon.") }))
        .max(64)
        .optional()
        .describe(
          "TenantAddons in the same namespace that must be ready first, in addition to the AddonDefinition's dependencies.",
        ),
      timeout: duration()
        .optional()
        .describe(
          "Maximum time for an installation or upgrade, including the time until all objects are ready; at most 1h. Defaults to the AddonDefinition's timeout, or else to 10m.",
        ),
      ...addonUpkeep,
    }),
    {
      rule: "(has(self.addon) && self.addon != '') != has(self.helm)",
      message: "exactly one of addon (a name in the catalog) or helm (a chart) must be set",
    },
  ),
  status: addonProgress.extend({
    conditions: conditions("ClusterReady", "DependenciesMet", "Installed", "Healthy", "InSync", "Ready"),
    phase: z
      .enum([...addonPhases, "Deleting"])
      .optional()
      .describe("Current phase of the add-on. Degraded means installed but not ready."),
    installedVersion: z.string().optional().describe("Currently installed version."),
    helmRelease: helmRelease.optional().describe("Helm release of the add-on."),
    observedGeneration: observedGeneration(),
    lastTransitionTime: time().optional().describe("Time of the last phase change."),
    message: z.string().optional().describe("Human-readable message about the current phase."),
  }),
  columns: {
    Cluster: ".spec.clusterRef.name",
    Addon: ".spec.addon",
    Version: ".spec.version",
    Phase: ".status.phase",
    Installed: ".status.installedVersion",
    Message: { jsonPath: ".status.message", priority: 1 },
  },
  example: {
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
