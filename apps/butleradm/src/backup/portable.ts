import { annotations as annotationKeys, IPAllocation, TenantCluster, User } from "@butler/api";
import type { DynamicObject, KubeObject, ObjectMeta, OwnerReference } from "@butler/resource";
import { isRecord } from "@butler/std";

/** An owner by name; its uid is looked up again on restore. */
export type PortableOwner = Omit<OwnerReference, "uid">;

/** An object as stored in a backup: the desired state, without anything specific to one cluster. */
export interface PortableObject extends DynamicObject {
  metadata: Pick<ObjectMeta, "name" | "namespace" | "labels" | "annotations">;
  owners?: readonly PortableOwner[];
}

const droppedAnnotations = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/.*)$/;
const droppedLabels = /^kubernetes\.io\/metadata\.name$/;

/** Status fields that controllers cannot compute again. */
const keptStatus: Readonly<Record<string, readonly string[]>> = {
  [User.kind]: ["passwordSecretRef", "passwordChangedAt"],
};

/** The parts of an object that are valid in another cluster. */
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

/** Keeps the owner of a cluster, but not its creator, which is the restoring user in the new cluster. */
function owned(kind: string, annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { [annotationKeys.creatorEmail]: creator, ...rest } = annotations;
  if (kind !== TenantCluster.kind || creator === undefined) return { ...annotations };
  return { [annotationKeys.owner]: creator, ...rest };
}

/** Pins the allocated addresses, so that the restore allocates the same ones. */
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

/** Whether an object is already released, so that restoring it is pointless. */
export function isPassing({ kind, status }: DynamicObject): boolean {
  return kind === IPAllocation.kind && isRecord(status) && status["phase"] === "Released";
}
