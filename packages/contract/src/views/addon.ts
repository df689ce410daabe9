import { z } from "zod";

/** A catalog entry. */
export const catalogEntry = z
  .object({
    name: z.string().describe("Name of the entry."),
    displayName: z.string().describe("Title."),
    description: z.string().describe("Description of the add-on."),
    category: z.string().describe("Catalog category."),
    icon: z.string().optional().describe("Emoji or short icon name."),
    iconData: z.string().optional().describe("SVG icon, base64-encoded."),
    chartRepository: z.string().describe("Chart repository URL."),
    chartName: z.string().describe("Name of the chart."),
    defaultVersion: z.string().describe("Version to install by default."),
    availableVersions: z.array(z.string()).describe("Other available versions."),
    defaultNamespace: z.string().describe("Namespace to install into by default."),
    platform: z.boolean().describe("Whether the platform depends on the add-on."),
    dependsOn: z.array(z.string()).describe("Entries that must be installed first."),
    conflictsWith: z.array(z.string()).describe("Entries that cannot be installed in the same cluster."),
    kubernetesVersions: z.string().optional().describe("Range of supported Kubernetes versions."),
    valuesSchema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema for Helm values, used in forms."),
    source: z
      .enum(["builtin", "custom"])
      .describe("Source of the entry: `builtin` if shipped with Butler, otherwise `custom`."),
    links: z.record(z.string(), z.string()).describe("Links to documentation."),
    resourceVersion: z.string().optional().describe("Resource version, for concurrency control."),
  })
  .meta({
    id: "CatalogEntry",
    examples: [
      {
        name: "cert-manager",
        displayName: "cert-manager",
        description: "Issues and renews TLS certificates.",
        category: "certmanager",
        chartRepository: "https://charts.jetstack.io",
        chartName: "cert-manager",
        defaultVersion: "v1.16.2",
        availableVersions: [],
        defaultNamespace: "cert-manager",
        platform: true,
        dependsOn: [],
        conflictsWith: [],
        source: "builtin",
        links: {},
      },
    ],
  });

/** An add-on of a cluster. */
export const addonView = z
  .object({
    name: z.string().describe("Name of the add-on in the cluster."),
    addon: z.string().describe("Catalog entry. Empty for a custom chart."),
    displayName: z.string().describe("Title."),
    version: z.string().describe("Requested version. Empty if none is requested."),
    platform: z.boolean().describe("Whether the add-on was installed with the cluster and is managed by the platform."),
    managedBy: z.string().describe("How the add-on is managed: butler, flux, argocd or manual."),
    helm: z
      .object({
        repository: z.string().describe("Chart repository URL."),
        chart: z.string().describe("Name of the chart."),
        releaseName: z.string().optional().describe("Name of the Helm release."),
        namespace: z.string().optional().describe("Namespace of the Helm release."),
      })
      .optional()
      .describe("Custom chart. Absent if the add-on comes from the catalog."),
    values: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Helm values. Visible only to users who can change them, because values can contain secrets."),
    rollbackTo: z.int().optional().describe("Revision that the add-on was rolled back to."),
    paused: z.boolean().describe("Whether reconciliation is paused."),
    resourceVersion: z.string().optional().describe("Resource version, for concurrency control."),
    createdAt: z.string().optional().describe("Creation time (RFC 3339)."),
    status: z
      .object({
        phase: z.string().describe("Phase."),
        installedVersion: z.string().describe("Installed version. Empty if none."),
        message: z.string().describe("Human-readable status."),
        revision: z.int().optional().describe("Revision of the Helm release."),
      })
      .describe("Observed state."),
  })
  .meta({
    id: "Addon",
    examples: [
      {
        name: "cert-manager-shop",
        addon: "cert-manager",
        displayName: "cert-manager",
        version: "v1.16.2",
        platform: false,
        managedBy: "butler",
        paused: false,
        status: { phase: "Installed", installedVersion: "v1.16.2", message: "" },
      },
    ],
  });
