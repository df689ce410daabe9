import { TenantAddon } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const tenantAddon = manifestOf(TenantAddon, "default/bad-tenant-addon", {
  clusterRef: { name: "shop" },
  version: "6.7.0",
  helm: { repository: "https://charts.example.com", chart: "podinfo" },
  dependsOn: [{ name: "shop-ingress" }],
});

const exactlyOne = "spec: Invalid value: exactly one of addon (a name in the catalog) or helm (a chart) must be set";

/** Broken TenantAddons. */
export const badTenantAddons: readonly BadManifest[] = [
  {
    name: "TenantAddon: cluster is missing",
    manifest: changeSpec(tenantAddon, "clusterRef", undefined),
    expect: "spec.clusterRef: Required value",
  },
  {
    name: "TenantAddon: both addon and helm",
    manifest: changeSpec(tenantAddon, "addon", "argocd"),
    expect: exactlyOne,
  },
  {
    name: "TenantAddon: neither addon nor helm",
    manifest: changeSpec(tenantAddon, "helm", undefined),
    expect: exactlyOne,
  },
  {
    name: "TenantAddon: addon is empty and helm is missing",
    manifest: { ...tenantAddon, spec: { clusterRef: { name: "shop" }, addon: "" } },
    expect: exactlyOne,
  },
  {
    name: "TenantAddon: repository is no URL",
    manifest: changeSpec(tenantAddon, "helm.repository", "bitnami"),
    expect: 'spec.helm.repository: Invalid value: "bitnami": must be the URL of a chart repository such as https://',
  },
  {
    name: "TenantAddon: chart is missing",
    manifest: changeSpec(tenantAddon, "helm.chart", undefined),
    expect: "spec.helm.chart: Required value",
  },
  {
    name: "TenantAddon: version is a number",
    manifest: changeSpec(tenantAddon, "version", 6),
    expect: "spec.version in body must be of type string",
  },
  {
    name: "TenantAddon: values are a list",
    manifest: changeSpec(tenantAddon, "values", ["replicaCount=2"]),
    expect: "spec.values in body must be of type object",
  },
  {
    name: "TenantAddon: depends on itself",
    manifest: changeSpec(tenantAddon, "dependsOn.0.name", "bad-tenant-addon"),
    expect: "spec.dependsOn: Invalid value: must not reference the TenantAddon itself",
  },
  {
    name: "TenantAddon: dependency is a bare name",
    manifest: changeSpec(tenantAddon, "dependsOn", ["shop-ingress"]),
    expect: "spec.dependsOn[0] in body must be of type object",
  },
  {
    name: "TenantAddon: unknown field",
    manifest: changeSpec(tenantAddon, "helm.version", "6.7.0"),
    expect: 'unknown field "spec.helm.version"',
  },
];
