import type { BadManifest } from "./bad-manifest.ts";
import { badAccess } from "./butler-b-access.ts";
import { badInfrastructure } from "./butler-b-infrastructure.ts";
import { badPolicies } from "./butler-b-policies.ts";
import { badTenantAddons } from "./butler-b-tenant-addons.ts";
import { badTenantClusters } from "./butler-b-tenant-clusters.ts";
import { badWorkspaces } from "./butler-b-workspaces.ts";

/** Broken manifests of the kinds from NetworkPool to WorkspaceTemplate, and of ClusterCreationPolicy. */
export const badButlerB: readonly BadManifest[] = [
  ...badAccess,
  ...badInfrastructure,
  ...badPolicies,
  ...badTenantAddons,
  ...badTenantClusters,
  ...badWorkspaces,
];
