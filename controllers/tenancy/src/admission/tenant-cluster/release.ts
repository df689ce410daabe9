import { annotations, finalizers, type TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { AdmissionUser, Denial } from "@butler/kube";
import { isBeingDeleted, isConditionTrue } from "@butler/resource";
import { isCliAccount } from "@butler/access";
import type { ClusterRequester, TenantClusterInput } from "./input.ts";

const abandonPath = `metadata.annotations[${annotations.abandon}]`;

interface ReleaseInput extends Pick<TenantClusterInput, "cluster" | "before"> {
  readonly requester: ClusterRequester & {
    /** A component of Kubernetes or Butler, which removes finalizers when its work is done. */
    readonly isComponent?: boolean;
  };
}

/**
 * Whether a request gives up what a cluster has left: by the annotation, or by removing Butler's finalizer, after which
 * its machines are no longer counted. Both require permission.
 */
export function isReleased({ cluster, before }: Pick<ReleaseInput, "cluster" | "before">): boolean {
  return (isAbandoned(cluster) && !isAbandoned(before)) || (isHeld(before) && !isHeld(cluster));
}

/** Every reason to reject giving up a cluster. */
export function releaseDenials({ cluster, before, requester }: ReleaseInput): Denial[] {
  const isAdmin = requester.isTrusted || requester.isPlatformAdmin === true;
  const isLettingGo = isHeld(before) && !isHeld(cluster);
  const letGo = `must contain ${finalizers.tenantCluster}: only platform administrators can remove it; Butler does so after deleting the cluster's resources`;
  return [
    ...(isAbandoned(cluster) && !isAbandoned(before) ? abandonDenials(before, isAdmin) : []),
    ...(isLettingGo && !isAdmin && requester.isComponent !== true
      ? denied("FORBIDDEN", "metadata.finalizers", letGo)
      : []),
  ];
}

function abandonDenials(before: TenantCluster | undefined, isAdmin: boolean): Denial[] {
  if (!isAdmin) return denied("FORBIDDEN", abandonPath, "can only be set by a platform administrator");
  const hasFailed =
    before !== undefined && isBeingDeleted(before) && isConditionTrue(before.status?.conditions, "DeletionOverdue");
  if (hasFailed) return [];
  const message = "can only be set after a deletion has failed: delete the cluster and wait for DeletionOverdue=True";
  return denied("NOT_ALLOWED", abandonPath, message);
}

/** Components of Kubernetes and Butler, which remove finalizers when their work is done. */
export function isComponent({ username }: Pick<AdmissionUser, "username">): boolean {
  return username.startsWith("system:") && !isCliAccount(username);
}

function isAbandoned(cluster: TenantCluster | undefined): boolean {
  return cluster?.metadata.annotations?.[annotations.abandon] === "true";
}

function isHeld(cluster: TenantCluster | undefined): boolean {
  return cluster?.metadata.finalizers?.includes(finalizers.tenantCluster) ?? false;
}
