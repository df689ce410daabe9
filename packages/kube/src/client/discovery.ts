import type { Kind } from "@butler/resource";
import { InvalidInput, isRecord } from "@butler/std";

/** The group and version of an `apiVersion`. */
export function parseApiVersion(apiVersion: string): Pick<Kind, "group" | "version"> {
  const [first = "", second, ...rest] = apiVersion.split("/");
  const isWhole = first !== "" && second !== "" && rest.length === 0;
  if (!isWhole) throw new InvalidInput("apiVersion must be VERSION or GROUP/VERSION");
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

/** The kinds in an API resource list: those with stored objects. */
export function kindsIn(apiVersion: string, answer: unknown): readonly Kind[] {
  const { group, version } = parseApiVersion(apiVersion);
  const resources = isRecord(answer) && Array.isArray(answer["resources"]) ? (answer["resources"] as unknown[]) : [];
  return resources.flatMap((resource): Kind[] => {
    if (!isRecord(resource)) return [];
    const { name, kind, namespaced, verbs } = resource;
    if (typeof name !== "string" || typeof kind !== "string" || name.includes("/")) return [];
    // Reviews and the like are virtual: they are not stored.
    if (!Array.isArray(verbs) || !verbs.includes("list")) return [];
    return [{ group, version, kind, plural: name, scope: namespaced === true ? "Namespaced" : "Cluster" }];
  });
}
