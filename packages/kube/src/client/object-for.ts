import {
  apiVersionOf,
  type DynamicObject,
  type Kind,
  type KubeObject,
  type ObjectOf,
  type Resource,
} from "@butler/resource";

/** The object type of a kind: exact for declared kinds, plain data for others. */
export type ObjectFor<K extends Kind> = K extends Resource ? ObjectOf<K> : DynamicObject;

/** Items of a list have neither apiVersion nor kind; readers should not have to care. */
export function withType<T extends KubeObject>(kind: Kind, item: T): T {
  if (item.kind === kind.kind) return item;
  return { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
