import { ClusterCreationPolicy } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const policy = manifestOf(ClusterCreationPolicy, "bad-policy", {
  scope: { team: { teamRef: { name: "payments" } } },
  targetProviders: ["harvester"],
  options: { image: { mode: "allowList", values: ["default/rocky-9.5"] } },
});

const exactlyOne = "spec.scope: Invalid value: exactly one of clusterWide, team or teamAndEnvironment must be set";
const atLeastOne = "spec.options.image.values: Required value: modes allowList and recommended require at least one";

/** Broken ClusterCreationPolicies. */
export const badPolicies: readonly BadManifest[] = [
  {
    name: "ClusterCreationPolicy: scope is missing",
    manifest: changeSpec(policy, "scope", undefined),
    expect: "spec.scope: Required value",
  },
  {
    name: "ClusterCreationPolicy: scope is empty",
    manifest: changeSpec(policy, "scope", {}),
    expect: exactlyOne,
  },
  {
    name: "ClusterCreationPolicy: two scopes",
    manifest: changeSpec(policy, "scope.clusterWide", {}),
    expect: exactlyOne,
  },
  {
    name: "ClusterCreationPolicy: team without a reference",
    manifest: changeSpec(policy, "scope.team", {}),
    expect: "spec.scope.team.teamRef: Required value",
  },
  {
    name: "ClusterCreationPolicy: environment is missing",
    manifest: changeSpec(policy, "scope", { teamAndEnvironment: { teamRef: { name: "payments" } } }),
    expect: "spec.scope.teamAndEnvironment.environmentName: Required value",
  },
  {
    name: "ClusterCreationPolicy: provider is unknown",
    manifest: changeSpec(policy, "targetProviders", ["harvester", "openstack"]),
    expect: 'spec.targetProviders[1]: Unsupported value: "openstack": supported values: "harvester", "nutanix"',
  },
  {
    name: "ClusterCreationPolicy: options are missing",
    manifest: changeSpec(policy, "options", undefined),
    expect: "spec.options: Required value",
  },
  {
    name: "ClusterCreationPolicy: no option",
    manifest: changeSpec(policy, "options", {}),
    expect: "spec.options: Invalid value: at least one of image, network, cluster or storageContainer must be set",
  },
  {
    name: "ClusterCreationPolicy: option is unknown",
    manifest: changeSpec(policy, "options.region", { mode: "pin", values: ["eu"] }),
    expect: 'unknown field "spec.options.region"',
  },
  {
    name: "ClusterCreationPolicy: mode is missing",
    manifest: changeSpec(policy, "options.image.mode", undefined),
    expect: "spec.options.image.mode: Required value",
  },
  {
    name: "ClusterCreationPolicy: mode is unknown",
    manifest: changeSpec(policy, "options.image.mode", "deny"),
    expect: 'spec.options.image.mode: Unsupported value: "deny": supported values: "pin", "allowList", "default"',
  },
  {
    name: "ClusterCreationPolicy: two values are pinned",
    manifest: changeSpec(policy, "options.image", { mode: "pin", values: ["a", "b"] }),
    expect: "spec.options.image.values: Invalid value: mode pin requires exactly one value",
  },
  {
    name: "ClusterCreationPolicy: nothing is pinned",
    manifest: changeSpec(policy, "options.image", { mode: "pin" }),
    expect: "spec.options.image.values: Invalid value: mode pin requires exactly one value",
  },
  {
    name: "ClusterCreationPolicy: nothing is allowed",
    manifest: changeSpec(policy, "options.image.values", []),
    expect: atLeastOne,
  },
  {
    name: "ClusterCreationPolicy: nothing is recommended",
    manifest: changeSpec(policy, "options.image", { mode: "recommended", recommendedReason: "Tested" }),
    expect: atLeastOne,
  },
  {
    name: "ClusterCreationPolicy: nothing is preselected",
    manifest: changeSpec(policy, "options.image.mode", "default"),
    expect: "spec.options.image.default: Required value: mode default requires the ID of the default option",
  },
  {
    name: "ClusterCreationPolicy: reason is longer than 120 characters",
    manifest: changeSpec(policy, "options.image.recommendedReason", "r".repeat(121)),
    expect: "spec.options.image.recommendedReason: Too long: may not be more than 120 bytes",
  },
];
