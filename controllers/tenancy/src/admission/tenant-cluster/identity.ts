import { isSameEmail } from "@butler/access";
import { annotations, type TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";
import type { ClusterRequester, TenantClusterInput } from "./input.ts";

const creatorPath = `metadata.annotations[${annotations.creatorEmail}]`;
const ownerPath = `metadata.annotations[${annotations.owner}]`;

/** The member whose clusters a cluster counts towards. */
export function ownerOf({ metadata }: Pick<TenantCluster, "metadata">): string | undefined {
  return metadata.annotations?.[annotations.owner] ?? metadata.annotations?.[annotations.creatorEmail];
}

/**
 * Only Butler's own components, which have authenticated the user, may create a cluster for another user or transfer
 * one.
 */
export function identityDenials({ cluster, before, requester }: TenantClusterInput): Denial[] {
  return before === undefined ? creationDenials(cluster, requester) : changeDenials(cluster, before, requester);
}

function creationDenials({ metadata }: TenantCluster, { username, isTrusted }: ClusterRequester): Denial[] {
  const { [annotations.creatorEmail]: creator, [annotations.owner]: owner } = metadata.annotations ?? {};
  if (creator === undefined) {
    return denied("REQUIRED", creatorPath, "is missing: the mutating webhook that sets it was not called");
  }
  if (isTrusted) return [];
  const foreign = (path: string, name: string | undefined): Denial[] => {
    if (name === undefined || isSameEmail(name, username)) return [];
    return denied(
      "FORBIDDEN",
      path,
      `is ${name}, but the request is from ${username}; omit it to have it set automatically`,
    );
  };
  return [...foreign(creatorPath, creator), ...foreign(ownerPath, owner)];
}

function changeDenials(cluster: TenantCluster, before: TenantCluster, requester: ClusterRequester): Denial[] {
  const [was, is] = [before.metadata.annotations ?? {}, cluster.metadata.annotations ?? {}];
  const [creator, owner] = [is[annotations.creatorEmail], is[annotations.owner]];
  const isCreatorSame = was[annotations.creatorEmail] === creator;
  const isOwnerSame = was[annotations.owner] === owner;
  // The default, the creator, may be set explicitly.
  const isStated = was[annotations.owner] === undefined && owner === was[annotations.creatorEmail];
  const mayHandOver = requester.isTrusted || requester.isPlatformAdmin === true;
  const creatorText = was[annotations.creatorEmail] ?? "not set";
  return [
    ...(isCreatorSame ? [] : denied("IMMUTABLE", creatorPath, `is ${creatorText} and cannot be changed`)),
    ...(isOwnerSame || isStated || mayHandOver
      ? []
      : denied("FORBIDDEN", ownerPath, "can only be changed by a platform administrator")),
  ];
}

/** Whether a change transfers a cluster to another owner, which requires permission. */
export function isHandedOver(cluster: TenantCluster, before: TenantCluster | undefined): boolean {
  const owners = [before, cluster].map((each) => each?.metadata.annotations?.[annotations.owner]);
  return before !== undefined && owners[0] !== owners[1];
}
