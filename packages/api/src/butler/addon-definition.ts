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
      "must be an https, http or oci address such as https://charts.example.com or oci://registry.example.com/charts",
  }).describe(
    "Address of the Helm repository, or with `oci://` of the registry folder that holds the chart; `oci+http://` for a registry without TLS.",
  ),
  name: z.string().min(1).describe("Name of the chart in the repository."),
  defaultVersion: z.string().min(1).describe("Version that is installed when an installer names none."),
  availableVersions: z
    .array(z.string())
    .optional()
    .describe("Further versions that the console offers; when empty, only the default version is offered."),
  credentialsRef: localRef("Secret")
    .optional()
    .describe(
      "Secret in Butler's own namespace for a repository that asks who one is or that a private authority vouches for: keys username, password and ca.crt, each optional.",
    ),
});

const variation = z.object({
  providers: z
    .array(z.enum(providerTypes))
    .min(1)
    .max(16)
    .describe("Kinds of infrastructure that this is about; the first variation that names one counts."),
  unsupported: z
    .string()
    .max(512)
    .optional()
    .describe("Why the add-on cannot be used there; when set, it is refused on such clusters with this reason."),
  values: helmValues.optional().describe("Helm values for such clusters, laid over the default ones."),
});

const defaults = z.object({
  namespace: z
    .string()
    .optional()
    .describe("Namespace that the add-on goes into; when empty, the name of the AddonDefinition."),
  releaseName: z.string().optional().describe("Name of the Helm release; when empty, the name of the AddonDefinition."),
  createNamespace: z.boolean().default(true).describe("Whether the namespace is created when it does not exist."),
  values: helmValues.optional().describe("Helm values that the values of an installation are laid over."),
  timeout: duration()
    .default("10m")
    .describe("How long one Helm operation may take, as a duration such as 90s, 10m or 1h."),
});

/** An entry of the add-on catalogue. */
export const AddonDefinition = defineResource({
  ...butlerGroup,
  kind: "AddonDefinition",
  scope: "Cluster",
  shortNames: ["ad", "adddef"],
  doc: "AddonDefinition is an entry of the add-on catalogue: a Helm chart with presets, under a name that TenantAddons and ManagementAddons refer to.",
  spec: z.object({
    displayName: z.string().min(1).max(64).describe("Title in the catalogue, at most 64 characters."),
    description: z.string().min(1).max(512).describe("What the add-on brings, in at most 512 characters."),
    category: z.enum(categories).describe("Group that the catalogue lists the add-on in."),
    icon: z
      .string()
      .max(8)
      .optional()
      .describe("Emoji or short icon name, at most 8 characters; when empty, the icon of the category."),
    iconData: z
      .string()
      .max(131072)
      .optional()
      .describe("SVG picture in base64, at most 128 KiB, for sites without internet access; wins over icon."),
    chart: chart.describe("Where the chart comes from."),
    defaults: defaults.optional().describe("Presets that an installation may override."),
    platform: z
      .boolean()
      .default(false)
      .describe(
        "Whether the platform itself relies on the add-on. Such add-ons are listed apart and cannot be removed.",
      ),
    tier: z
      .enum(["infrastructure", "apps"])
      .optional()
      .describe(
        "Folder that a GitOps export puts the add-on in; when absent, infrastructure for platform add-ons and else apps.",
      ),
    dependsOn: z
      .array(z.string())
      .optional()
      .describe("AddonDefinitions, by name, that must be installed on the cluster first."),
    conflictsWith: z
      .array(z.string())
      .max(64)
      .optional()
      .describe("AddonDefinitions, by name, that cannot be on the same cluster."),
    kubernetesVersions: z
      .string()
      .max(256)
      .optional()
      .describe(
        "Kubernetes versions that the add-on works with, as a range such as `>=1.29 <1.37`; when empty, all. A cluster is not upgraded beyond it while the add-on is there.",
      ),
    variations: z
      .array(variation)
      .max(16)
      .optional()
      .describe("What differs by infrastructure; when empty, nothing does."),
    valuesSchema: openObject()
      .optional()
      .describe(
        "JSON Schema of the values that people are meant to set: forms are made from it, and the merged values of an installation must satisfy it. When absent, any values are taken.",
      ),
    maintainer: z
      .object({
        name: z.string().optional().describe("Person or group."),
        email: z.string().optional().describe("E-mail address of the person or group."),
      })
      .optional()
      .describe("Who looks after this entry."),
    links: z
      .object({
        documentation: z.string().optional().describe("Address of the documentation."),
        source: z.string().optional().describe("Address of the source code."),
        homepage: z.string().optional().describe("Address of the project's site."),
      })
      .optional()
      .describe("Where to read more."),
  }),
  columns: [
    { name: "Display Name", type: "string", jsonPath: ".spec.displayName" },
    { name: "Category", type: "string", jsonPath: ".spec.category" },
    { name: "Chart", type: "string", jsonPath: ".spec.chart.name" },
    { name: "Version", type: "string", jsonPath: ".spec.chart.defaultVersion" },
    { name: "Platform", type: "boolean", jsonPath: ".spec.platform" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "AddonDefinition",
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
