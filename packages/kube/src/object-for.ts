import {
  apiVersionOf,
  type DynamicObject,
  type Kind,
  type KubeObject,
  type ObjectOf,
  type Resource,
} from "@butler/resource";

/** The type of objects that a kind has: exact for kinds we declared, plain data for others. */
export type ObjectFor<K extends Kind> = K extends Resource ? ObjectOf<K> : DynamicObject;

/** Items of a list carry neither apiVersion nor kind; code that reads them should not have to know. */
export function withType<T extends KubeObject>(kind: Kind, item: T): T {
  if (item.kind === kind.kind) return item;
  return { ...item, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
