import { z } from "zod";

/** An entry of the catalogue. */
export const catalogueEntry = z
  .object({
    name: z.string().describe("Name by which add-ons are asked for."),
    displayName: z.string().describe("Title."),
    description: z.string().describe("What it brings."),
    category: z.string().describe("Group in the catalogue."),
    icon: z.string().optional().describe("Emoji or short icon name."),
    iconData: z.string().optional().describe("SVG picture in base64."),
    chartRepository: z.string().describe("Where the chart comes from."),
    chartName: z.string().describe("Name of the chart."),
    defaultVersion: z.string().describe("Version that is installed when none is named."),
    availableVersions: z.array(z.string()).describe("Further versions on offer."),
    defaultNamespace: z.string().describe("Namespace that it goes into."),
    platform: z.boolean().describe("Whether the platform itself relies on it."),
    dependsOn: z.array(z.string()).describe("Entries that must be installed first."),
    conflictsWith: z.array(z.string()).describe("Entries that cannot be on the same cluster."),
    kubernetesVersions: z.string().optional().describe("Kubernetes versions that it works with, as a range."),
    valuesSchema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of its values, for forms."),
    source: z.enum(["builtin", "custom"]).describe("Whether Butler ships it."),
    links: z.record(z.string(), z.string()).describe("Where to read more."),
    resourceVersion: z.string().optional().describe("Changes with every change."),
  })
  .meta({
    id: "CatalogueEntry",
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
    name: z.string().describe("Name by which the add-on of the cluster is found."),
    addon: z.string().describe("Entry of the catalogue; empty for a chart of one's own."),
    displayName: z.string().describe("Title."),
    version: z.string().describe("Version that is asked for; empty when none is."),
    platform: z.boolean().describe("Whether it came with the cluster and is looked after by the platform."),
    managedBy: z.string().describe("Who looks after it: butler, flux, argocd or manual."),
    helm: z
      .object({
        repository: z.string().describe("Where the chart comes from."),
        chart: z.string().describe("Name of the chart."),
        releaseName: z.string().optional().describe("Name of the release."),
        namespace: z.string().optional().describe("Namespace of the release."),
      })
      .optional()
      .describe("The chart, for a chart of one's own."),
    values: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Its values, for those who may change them: values can hold secrets."),
    rollbackTo: z.int().optional().describe("Revision that it was set back to."),
    paused: z.boolean().describe("Whether it is left as it is."),
    resourceVersion: z.string().optional().describe("Changes with every change."),
    createdAt: z.string().optional().describe("When it was asked for (RFC 3339)."),
    status: z
      .object({
        phase: z.string().describe("Where it is in its life."),
        installedVersion: z.string().describe("Version that runs; empty when none does."),
        message: z.string().describe("What is going on, for people."),
        revision: z.int().optional().describe("Revision of the release."),
      })
      .describe("How it is."),
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
