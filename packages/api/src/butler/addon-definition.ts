import { defineResource, duration, localRef, openObject, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";
import { helmValues } from "./helm-values.ts";
import { providerTypes } from "./provider-type.ts";

const categories = [
  "cni",
  "loadbalancer",
  "storage",
  "certmanager",
  "ingress",
  "observability",
  "backup",
  "gitops",
  "security",
  "dns",
  "database",
  "messaging",
  "service-mesh",
  "policy",
  "autoscaling",
  "developer-tools",
  "other",
] as const;

const chart = z.object({
  repository: withRules(z.string().max(2048), {
    rule: "self.matches('^(https?|oci([+]http)?)://[^ ]+$')",
    message:
      "must be an https, http or oci URL such as https://charts.example.com or oci://registry.example.com/charts",
  }).describe(
    "URL of the Helm repository, or of the registry path that contains the chart (`oci://`). Use `oci+http://` for a registry without TLS.",
  ),
  name: z.string().min(1).describe("Name of the chart in the repository."),
  defaultVersion: z.string().min(1).describe("Version to install if none is specified."),
  availableVersions: z
    .array(z.string())
    .optional()
    .describe("Additional versions offered in the console. If empty, only the default version is offered."),
  credentialsRef: localRef("Secret")
    .optional()
    .describe(
      "Secret in Butler's namespace for a repository that requires authentication or uses a private CA. Keys: username, password and ca.crt, each optional.",
    ),
});

const variation = z.object({
  providers: z
    .array(z.enum(providerTypes))
    .min(1)
    .max(16)
    .describe("Providers this variation applies to. The first variation that lists a provider is used."),
  unsupported: z
    .string()
    .max(512)
    .optional()
    .describe(
      "Reason the add-on is not supported on these providers. If set, installation on clusters that use these providers is rejected with this reason.",
    ),
  values: helmValues
    .optional()
    .describe("Helm values for clusters on these providers, merged over the default values."),
});

const defaults = z.object({
  namespace: z
    .string()
    .optional()
    .describe("Namespace to install the add-on into. Defaults to the AddonDefinition name."),
  releaseName: z.string().optional().describe("Name of the Helm release. Defaults to the AddonDefinition name."),
  createNamespace: z.boolean().default(true).describe("Whether to create the namespace if it does not exist."),
  values: helmValues
    .optional()
    .describe("Default Helm values. Values set in an installation are merged over these defaults."),
  timeout: duration()
    .default("10m")
    .describe("Timeout of a single Helm operation, as a duration such as 90s, 10m or 1h. At most 1h."),
});

/** An entry of the add-on catalog. */
export const AddonDefinition = defineResource({
  ...butlerGroup,
  kind: "AddonDefinition",
  scope: "Cluster",
  shortNames: ["ad", "adddef"],
  doc: "AddonDefinition is an entry in the add-on catalog: a Helm chart with default settings that TenantAddons and ManagementAddons reference by name.",
  spec: z.object({
    displayName: z.string().min(1).max(64).describe("Display name in the catalog, at most 64 characters."),
    description: z.string().min(1).max(512).describe("Description of the add-on, at most 512 characters."),
    category: z.enum(categories).describe("Category of the add-on in the catalog."),
    icon: z
      .string()
      .max(8)
      .optional()
      .describe("Emoji or short icon name, at most 8 characters. Defaults to the category's icon."),
    iconData: z
      .string()
      .max(131072)
      .optional()
      .describe(
        "Base64-encoded SVG image, at most 128 KiB, for sites without internet access. Takes precedence over icon.",
      ),
    chart: chart.describe("Source of the Helm chart."),
    defaults: defaults.optional().describe("Default settings, which an installation can override."),
    platform: z
      .boolean()
      .default(false)
      .describe(
        "Whether the platform depends on the add-on. Platform add-ons are listed separately and cannot be removed.",
      ),
    tier: z
      .enum(["infrastructure", "apps"])
      .optional()
      .describe(
        "Directory that a GitOps export writes the add-on to. Defaults to infrastructure for platform add-ons and to apps for all others.",
      ),
    dependsOn: z
      .array(z.string())
      .optional()
      .describe("Names of AddonDefinitions that must be installed on the cluster first."),
    conflictsWith: z
      .array(z.string())
      .max(64)
      .optional()
      .describe("Names of AddonDefinitions that cannot be installed on the same cluster."),
    kubernetesVersions: z
      .string()
      .max(256)
      .optional()
      .describe(
        "Supported Kubernetes versions, as a range such as `>=1.29 <1.37`. If empty, all versions are supported. While the add-on is installed, the cluster cannot be upgraded beyond this range.",
      ),
    variations: z.array(variation).max(16).optional().describe("Provider-specific settings."),
    valuesSchema: openObject()
      .optional()
      .describe(
        "JSON Schema for the values that users can set. Used to generate forms and to validate the merged values of each installation. If unset, any values are accepted.",
      ),
    maintainer: z
      .object({
        name: z.string().optional().describe("Name of the person or group."),
        email: z.string().optional().describe("Email address of the person or group."),
      })
      .optional()
      .describe("Maintainer of this entry."),
    links: z
      .object({
        documentation: z.string().optional().describe("URL of the documentation."),
        source: z.string().optional().describe("URL of the source code."),
        homepage: z.string().optional().describe("URL of the project website."),
      })
      .optional()
      .describe("Links to more information."),
  }),
  columns: {
    "Display Name": ".spec.displayName",
    Category: ".spec.category",
    Chart: ".spec.chart.name",
    Version: ".spec.chart.defaultVersion",
    Platform: { type: "boolean", jsonPath: ".spec.platform" },
  },
  example: {
    metadata: { name: "cert-manager" },
    spec: {
      displayName: "cert-manager",
      description: "Issues and renews TLS certificates.",
      category: "certmanager",
      chart: {
        repository: "https://charts.jetstack.io",
        name: "cert-manager",
        defaultVersion: "v1.16.2",
        availableVersions: ["v1.16.1", "v1.15.4"],
      },
      defaults: { values: { crds: { enabled: true } } },
      platform: true,
      links: { documentation: "https://cert-manager.io/docs" },
    },
  },
});
export type AddonDefinition = ObjectOf<typeof AddonDefinition>;
