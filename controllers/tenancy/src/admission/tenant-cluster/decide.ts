import { annotations, type TenantCluster } from "@butler/api";
import { isProtected } from "@butler/cluster-operations";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { addressDenials } from "./addresses.ts";
import { dataStoreDenials } from "./data-store.ts";
import { environmentDenials } from "./environment.ts";
import { identityDenials } from "./identity.ts";
import type { TenantClusterInput } from "./input.ts";
import { localImageDenials } from "./local-images.ts";
import { overrideDenials } from "./overrides.ts";
import { policyDenials } from "./policy.ts";
import { providerDenials } from "./provider.ts";
import { restrictionDenials } from "./restrictions.ts";
import { tenancyDenials } from "./tenancy.ts";
import { upgradeDenials } from "./upgrade-gate.ts";

/**
 * Every reason to reject a cluster or a change to it, except quota, which needs the other clusters. Each rule checks
 * only what changes: an admitted cluster can always be labeled, repaired or deleted.
 */
export function decideTenantCluster(input: TenantClusterInput): Denial[] {
  return [
    ...tenancyDenials(input),
    ...identityDenials(input),
    ...environmentDenials(input),
    ...restrictionDenials(input),
    ...upgradeDenials(input),
    ...providerDenials(input),
    ...policyDenials(input),
    ...overrideDenials(input),
    ...localImageDenials(input),
    ...dataStoreDenials(input),
    ...addressDenials(input),
  ];
}

/** Every reason to reject the deletion of a cluster. */
export function decideTenantClusterDeletion({ metadata }: TenantCluster): Denial[] {
  if (!isProtected({ metadata })) return [];
  return denied(
    "DELETION_PROTECTED",
    `metadata.annotations[${annotations.deletionProtection}]`,
    "is true: the cluster is protected from deletion; remove the annotation first",
  );
}
