import { annotations, type TenantCluster } from "@butler/api";
import type { Denial } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import { denied } from "../denials.ts";
import { environmentDenials } from "./environment.ts";
import { identityDenials } from "./identity.ts";
import type { TenantClusterInput } from "./input.ts";
import { policyDenials } from "./policy.ts";
import { providerDenials } from "./provider.ts";
import { restrictionDenials } from "./restrictions.ts";
import { tenancyDenials } from "./tenancy.ts";
import { upgradeDenials } from "./upgrade-gate.ts";

/**
 * Every reason to refuse a cluster or its change, apart from quota, which needs the other clusters. Each rule looks only
 * at what changes: what was let in once must not keep anybody from labelling, repairing or deleting it.
 */
export function decideTenantCluster(input: TenantClusterInput): Denial[] {
  if (isBeingDeleted(input.cluster)) return [];
  return [
    ...tenancyDenials(input),
    ...identityDenials(input),
    ...environmentDenials(input),
    ...restrictionDenials(input),
    ...upgradeDenials(input),
    ...providerDenials(input),
    ...policyDenials(input),
  ];
}

/** Every reason to refuse the deletion of a cluster. */
export function decideTenantClusterDeletion({ metadata }: TenantCluster): Denial[] {
  const { deletionProtection } = annotations;
  if (metadata.annotations?.[deletionProtection] !== "true") return [];
  return denied(
    "DELETION_PROTECTED",
    `metadata.annotations[${deletionProtection}]`,
    "is true, so the cluster is not deleted; remove the annotation first",
  );
}
