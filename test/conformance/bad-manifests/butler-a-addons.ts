import { AddonDefinition, ManagementAddon } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const addonDefinition = manifestOf(AddonDefinition, "bad-addon", {
  displayName: "Addon",
  description: "Does something.",
  category: "other",
  chart: { repository: "https://charts.example.com", name: "addon", defaultVersion: "1.0.0" },
});

const managementAddon = manifestOf(ManagementAddon, "bad-management-addon", { addon: "metrics-server" });

/** Broken AddonDefinitions and ManagementAddons. */
export const badAddons: readonly BadManifest[] = [
  {
    name: "AddonDefinition: repository is an ftp address",
    manifest: changeSpec(addonDefinition, "chart.repository", "ftp://charts.example.com"),
    expect:
      'spec.chart.repository: Invalid value: "ftp://charts.example.com": must be an https, http or oci URL such as',
  },
  {
    name: "AddonDefinition: repository is empty",
    manifest: changeSpec(addonDefinition, "chart.repository", ""),
    expect: 'spec.chart.repository: Invalid value: "": must be an https, http or oci URL such as',
  },
  {
    name: "AddonDefinition: chart is missing",
    manifest: changeSpec(addonDefinition, "chart", undefined),
    expect: "spec.chart: Required value",
  },
  {
    name: "AddonDefinition: chart name is missing",
    manifest: changeSpec(addonDefinition, "chart.name", undefined),
    expect: "spec.chart.name: Required value",
  },
  {
    name: "AddonDefinition: default version is empty",
    manifest: changeSpec(addonDefinition, "chart.defaultVersion", ""),
    expect:
      'spec.chart.defaultVersion: Invalid value: "": spec.chart.defaultVersion in body should be at least 1 chars long',
  },
  {
    name: "AddonDefinition: category is unknown",
    manifest: changeSpec(addonDefinition, "category", "networking"),
    expect: 'spec.category: Unsupported value: "networking": supported values: "cni", "loadbalancer", "storage"',
  },
  {
    name: "AddonDefinition: display name is longer than 64 characters",
    manifest: changeSpec(addonDefinition, "displayName", "x".repeat(65)),
    expect: "spec.displayName: Too long: may not be more than 64",
  },
  {
    name: "AddonDefinition: description is empty",
    manifest: changeSpec(addonDefinition, "description", ""),
    expect: "spec.description in body should be at least 1 chars long",
  },
  {
    name: "AddonDefinition: icon is longer than 8 characters",
    manifest: changeSpec(addonDefinition, "icon", "certificate"),
    expect: "spec.icon: Too long: may not be more than 8",
  },
  {
    name: "AddonDefinition: timeout is given in days",
    manifest: changeSpec(addonDefinition, "defaults.timeout", "1d"),
    expect: 'spec.defaults.timeout: Invalid value: "1d": must be a duration such as 30s, 10m or 1h30m',
  },
  {
    name: "AddonDefinition: Helm values are a text",
    manifest: changeSpec(addonDefinition, "defaults.values", "replicas: 2"),
    expect: 'spec.defaults.values: Invalid value: "string": spec.defaults.values in body must be of type object',
  },
  {
    name: "AddonDefinition: createNamespace is a text",
    manifest: changeSpec(addonDefinition, "defaults.createNamespace", "yes"),
    expect: "spec.defaults.createNamespace in body must be of type boolean",
  },
  {
    name: "AddonDefinition: tier is unknown",
    manifest: changeSpec(addonDefinition, "tier", "platform"),
    expect: 'spec.tier: Unsupported value: "platform": supported values: "infrastructure", "apps"',
  },
  {
    name: "AddonDefinition: chart version is under an unknown key",
    manifest: changeSpec(addonDefinition, "chart.version", "1.0.0"),
    expect: 'unknown field "spec.chart.version"',
  },
  {
    name: "AddonDefinition: status on a kind without a status",
    manifest: { ...addonDefinition, status: { phase: "Ready" } },
    expect: 'unknown field "status"',
  },
  {
    name: "ManagementAddon: addon is missing",
    manifest: changeSpec(managementAddon, "addon", undefined),
    expect: "spec.addon: Required value",
  },
  {
    name: "ManagementAddon: addon is empty",
    manifest: changeSpec(managementAddon, "addon", ""),
    expect: "spec.addon in body should be at least 1 chars long",
  },
  {
    name: "ManagementAddon: spec is missing",
    manifest: {
      apiVersion: managementAddon.apiVersion,
      kind: managementAddon.kind,
      metadata: managementAddon.metadata,
    },
    expect: "spec: Required value",
  },
  {
    name: "ManagementAddon: version is a number",
    manifest: changeSpec(managementAddon, "version", 3.12),
    expect: "spec.version in body must be of type string",
  },
  {
    name: "ManagementAddon: values are a list",
    manifest: changeSpec(managementAddon, "values", [{ replicas: 2 }]),
    expect: "spec.values in body must be of type object",
  },
  {
    name: "ManagementAddon: clusterRef as in a TenantAddon",
    manifest: changeSpec(managementAddon, "clusterRef", { name: "shop" }),
    expect: 'unknown field "spec.clusterRef"',
  },
];
