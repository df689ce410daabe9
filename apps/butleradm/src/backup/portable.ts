import { annotations as annotationKeys, IPAllocation, TenantCluster, User } from "@butler/api";
import type { DynamicObject, KubeObject, ObjectMeta, OwnerReference } from "@butler/resource";
import { isRecord } from "@butler/std";

/** An owner by its name; which object that is, is found out anew where it is restored. */
export type PortableOwner = Omit<OwnerReference, "uid">;

/** An object as it is kept in a backup: what people want, and nothing that only one cluster knows. */
export interface PortableObject extends DynamicObject {
  metadata: Pick<ObjectMeta, "name" | "namespace" | "labels" | "annotations">;
  owners?: readonly PortableOwner[];
}

const droppedAnnotations = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/.*)$/;
const droppedLabels = /^kubernetes\.io\/metadata\.name$/;

/** Parts of a status that nobody could work out again. */
const keptStatus: Readonly<Record<string, readonly string[]>> = {
  [User.kind]: ["passwordSecretRef", "passwordChangedAt"],
};

/** Takes from an object what another cluster can use. */
export function portable(object: KubeObject): PortableObject {
  const { metadata, status, ...body } = object as DynamicObject;
  const { name, namespace, labels, annotations, ownerReferences } = metadata;
  const kept = keptOf(object.kind, status);
  const owners = (ownerReferences ?? []).map(({ uid: _uid, ...owner }) => owner);
  return {
    ...pinned(body as DynamicObject, status),
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...some("labels", without(labels, droppedLabels)),
      ...some("annotations", without(owned(object.kind, annotations), droppedAnnotations)),
    },
    ...(owners.length === 0 ? {} : { owners }),
    ...some("status", kept),
  };
}

/** Whose a cluster is, is wanted; who once made it would be somebody else where it is made again. */
function owned(kind: string, annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { [annotationKeys.creatorEmail]: creator, ...rest } = annotations;
  if (kind !== TenantCluster.kind || creator === undefined) return { ...annotations };
  return { [annotationKeys.owner]: creator, ...rest };
}

/** Addresses that were given out are wanted again, and no others. */
function pinned(body: DynamicObject, status: unknown): DynamicObject {
  if (body.kind !== IPAllocation.kind || !isRecord(body["spec"]) || !isRecord(status)) return body;
  const { startAddress, endAddress } = status;
  if (typeof startAddress !== "string" || typeof endAddress !== "string") return body;
  return { ...body, spec: { ...body["spec"], pinnedRange: { startAddress, endAddress } } };
}

function keptOf(kind: string, status: unknown): Record<string, unknown> {
  const names = keptStatus[kind] ?? [];
  if (!isRecord(status)) return {};
  return Object.fromEntries(names.filter((name) => status[name] !== undefined).map((name) => [name, status[name]]));
}

function without(entries: Readonly<Record<string, string>> = {}, dropped: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !dropped.test(key)));
}

function some<Name extends string>(
  name: Name,
  entries: Record<string, unknown>,
): { [Key in Name]?: Record<string, string> } {
  return (Object.keys(entries).length === 0 ? {} : { [name]: entries }) as { [Key in Name]?: Record<string, string> };
}

/** Whether a status says that an object is only waiting to be forgotten, so that nobody needs it again. */
export function isPassing({ kind, status }: DynamicObject): boolean {
  return kind === IPAllocation.kind && isRecord(status) && status["phase"] === "Released";
}
