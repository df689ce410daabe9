import type { DynamicObject } from "@butler/resource";
import { isRecord, valueAt } from "@butler/std";
import { textAt } from "../objects/fields.ts";

/** One object of a manifest, and what is needed to find it in a cluster. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** As the manifest has it; an object without one goes to the release's namespace, if its kind has namespaces. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly object: DynamicObject;
}

/** The result of reading a document's data: its objects, or what is wrong, without any of its content. */
export type ObjectsResult = { readonly objects: readonly ManifestObject[] } | { readonly fault: string };

const apiVersionForm = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[a-z0-9]+$/;
const kindForm = /^[A-Za-z][A-Za-z0-9]*$/;
const namespaceForm = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
/** What Kubernetes accepts as a name of any kind: a path segment. */
const nameForm = /^(?!\.\.?$)[^/%\s]{1,253}$/;
const deepestList = 3;

/** The objects in the data of one document: one, those of a List, or none when the document is empty. */
export function objectsIn(data: unknown, depth = 0): ObjectsResult {
  if (data === null || data === undefined) return { objects: [] };
  if (!isRecord(data)) return { fault: "not an object" };
  const { items, kind } = data;
  if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(items)) {
    if (depth >= deepestList) return { fault: "lists are nested too deeply" };
    return objectsOfList(data, items, depth);
  }
  return objectOf(data);
}

function objectsOfList(
  list: Readonly<Record<string, unknown>>,
  items: readonly unknown[],
  depth: number,
): ObjectsResult {
  // Items of a typed list may leave out what the list says for all of them.
  const { apiVersion, kind } = list;
  const itemKind = String(kind).slice(0, -"List".length);
  const common = itemKind === "" ? {} : { apiVersion, kind: itemKind };
  const objects: ManifestObject[] = [];
  for (const item of items) {
    const result = objectsIn(isRecord(item) ? { ...common, ...item } : item, depth + 1);
    if ("fault" in result) return { fault: `list item: ${result.fault}` };
    objects.push(...result.objects);
  }
  return { objects };
}

function objectOf(data: Record<string, unknown>): ObjectsResult {
  const { apiVersion, kind, metadata } = data;
  if (typeof apiVersion !== "string" || !apiVersionForm.test(apiVersion))
    return { fault: "missing or invalid apiVersion" };
  if (typeof kind !== "string" || !kindForm.test(kind)) return { fault: "missing or invalid kind" };
  const name = textAt(metadata, "name");
  if (!nameForm.test(name)) return { fault: "missing or invalid metadata.name" };
  const namespace = valueAt(metadata, "namespace");
  if (!isNamespace(namespace)) return { fault: "invalid metadata.namespace" };
  return {
    objects: [{ apiVersion, kind, namespace: namespace || undefined, name, object: data as unknown as DynamicObject }],
  };
}

/** A namespace or no value; YAML 1.1 reads a bare `n` as a boolean, which is neither. */
function isNamespace(value: unknown): value is string | null | undefined {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "string" && namespaceForm.test(value);
}
