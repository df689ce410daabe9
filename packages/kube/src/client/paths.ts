import { apiVersionOf, type Kind, type ObjectKey } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { parseApiVersion } from "./discovery.ts";

/** The URL path of a collection, or of one object or subresource in it. */
export function resourcePath(kind: Kind, { namespace, name }: Partial<ObjectKey>, subresource?: string): string {
  const parts = [
    kind.group === "" ? "api" : "apis",
    ...apiVersionOf(kind).split("/"),
    ...(kind.scope === "Namespaced" && namespace ? ["namespaces", namespace] : []),
    kind.plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.map(encodePart).join("/")}`;
}

/** The discovery URL path of an apiVersion. */
export function discoveryPath(apiVersion: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  const parts = group === "" ? ["api", version] : ["apis", group, version];
  return `/${parts.map(encodePart).join("/")}`;
}

/** URLs resolve dots, and the API server skips empty segments: deleting `..` would delete the namespace. */
function encodePart(part: string): string {
  if (part === "" || part === "." || part === "..")
    throw new InvalidInput(`"${part}" cannot be part of an object's path`);
  return encodeURIComponent(part);
}

/** Query parameters without undefined ones; empty strings stay, because they have a meaning in Kubernetes. */
export function queryText(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The Accept header that asks for metadata alone. */
export function acceptMetadata(form: "PartialObjectMetadataList" | "PartialObjectMetadata"): string {
  return `application/json;as=${form};g=meta.k8s.io;v=v1,application/json`;
}
