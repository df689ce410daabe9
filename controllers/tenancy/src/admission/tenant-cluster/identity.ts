import { isSameEmail } from "@butler/access";
import { annotations, type TenantCluster } from "@butler/api";
import type { Denial } from "@butler/kube";
import { denied } from "../denials.ts";
import type { ClusterRequester, TenantClusterInput } from "./input.ts";

const creatorPath = `metadata.annotations[${annotations.creatorEmail}]`;
const ownerPath = `metadata.annotations[${annotations.owner}]`;

/** By whom a cluster counts among those of a member. */
export function ownerOf({ metadata }: Pick<TenantCluster, "metadata">): string | undefined {
  return metadata.annotations?.[annotations.owner] ?? metadata.annotations?.[annotations.creatorEmail];
}

/** Nobody makes a cluster in another's name or hands one to another, but Butler's own programs, which have asked who it is. */
export function identityDenials({ cluster, before, requester }: TenantClusterInput): Denial[] {
  return before === undefined ? creationDenials(cluster, requester) : changeDenials(cluster, before, requester);
}

function creationDenials({ metadata }: TenantCluster, { username, isTrusted }: ClusterRequester): Denial[] {
  const { [annotations.creatorEmail]: creator, [annotations.owner]: owner } = metadata.annotations ?? {};
  if (creator === undefined) {
    return denied("REQUIRED", creatorPath, "is missing: the webhook that writes it was not asked");
  }
  if (isTrusted) return [];
  const foreign = (path: string, name: string | undefined): Denial[] => {
    if (name === undefined || isSameEmail(name, username)) return [];
    return denied("FORBIDDEN", path, `is ${name}, but ${username} asks; leave it out, and it is filled in`);
  };
  return [...foreign(creatorPath, creator), ...foreign(ownerPath, owner)];
}

function changeDenials(cluster: TenantCluster, before: TenantCluster, requester: ClusterRequester): Denial[] {
  const [was, is] = [before.metadata.annotations ?? {}, cluster.metadata.annotations ?? {}];
  const [creator, owner] = [is[annotations.creatorEmail], is[annotations.owner]];
  const isCreatorSame = was[annotations.creatorEmail] === creator;
  const isOwnerSame = was[annotations.owner] === owner;
  // What the creator is by default may be written down.
  const isStated = was[annotations.owner] === undefined && owner === was[annotations.creatorEmail];
  const mayHandOver = requester.isTrusted || requester.isPlatformAdmin === true;
  const creatorText = was[annotations.creatorEmail] ?? "not set";
  return [
    ...(isCreatorSame ? [] : denied("IMMUTABLE", creatorPath, `is ${creatorText} and cannot be changed`)),
    ...(isOwnerSame || isStated || mayHandOver
      ? []
      : denied("FORBIDDEN", ownerPath, "can be changed by a platform administrator only")),
  ];
}

/** Whether a change hands a cluster to somebody else, which not everybody may. */
export function isHandedOver(cluster: TenantCluster, before: TenantCluster | undefined): boolean {
  const owners = [before, cluster].map((each) => each?.metadata.annotations?.[annotations.owner]);
  return before !== undefined && owners[0] !== owners[1];
}
