import { apiVersionOf, type Kind, type ObjectKey } from "@butler/resource";

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
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** Query parameters without those that are undefined; the empty string stays, for it means something to Kubernetes. */
export function queryText(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined);
  if (present.length === 0) return "";
  return `?${new URLSearchParams(present.map(([key, value]) => [key, String(value)])).toString()}`;
}
