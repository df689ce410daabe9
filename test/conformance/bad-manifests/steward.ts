import type { BadManifest } from "./bad-manifest.ts";
import { badClusterControlPlanes } from "./steward-cluster-api.ts";
import { badControlPlaneValues } from "./steward-control-plane-values.ts";
import { badLocal } from "./steward-local.ts";
import { badStores } from "./steward-stores.ts";
import { badTenantControlPlanes } from "./steward-tenant-control-planes.ts";

/** Broken manifests of Steward's kinds and of the local machine provider. */
export const badSteward: readonly BadManifest[] = [
  ...badTenantControlPlanes,
  ...badControlPlaneValues,
  ...badStores,
  ...badClusterControlPlanes,
  ...badLocal,
];
