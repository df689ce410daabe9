import type { DynamicObject, Kind, ObjectOf, Resource } from "@butler/resource";

/** The type of objects that a kind has: exact for kinds we declared, plain data for others. */
export type ObjectFor<K extends Kind> = K extends Resource ? ObjectOf<K> : DynamicObject;
