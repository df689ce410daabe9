/** The parts of Kubernetes' object model that every kind shares. */

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

export interface ObjectMeta {
  name: string;
  namespace?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  creationTimestamp?: string | undefined;
  deletionTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  generateName?: string | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  finalizers?: string[] | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  managedFields?: unknown[] | undefined;
}

/** Any Kubernetes object, ours or not. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** An object whose body is read as plain data. */
export interface DynamicObject extends KubeObject {
  [field: string]: unknown;
}

/** Name and namespace of an object within its kind. */
export interface ObjectKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** The key of an object as text: `namespace/name`, or `name` for the cluster-scoped. */
export function keyText({ name, namespace }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** The reverse of `keyText`. */
export function parseKeyText(text: string): ObjectKey {
  const slash = text.indexOf("/");
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The key of an object. */
export function keyOf(object: KubeObject): ObjectKey {
  return { name: object.metadata.name, namespace: object.metadata.namespace };
}

/** Whether the object is being deleted. */
export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** The object without managedFields: they are as large as the rest, and our code does not read them. */
export function withoutManagedFields<T extends { metadata: { managedFields?: unknown } }>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The reference that makes `owner` the controller of an object: deleting the owner deletes the object. */
export function controllerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Whether an object is owned by this owner, identified by UID rather than by name. */
export function isOwnedBy(object: KubeObject, { metadata }: KubeObject): boolean {
  return object.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) ?? false;
}
