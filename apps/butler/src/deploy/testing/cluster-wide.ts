import type { Kubectl } from "@butler/engine";

/** Every cluster-scoped object of any kind, as `<plural and group>/<name>`. */
export async function clusterWideObjects(kubectl: Pick<Kubectl, "run">): Promise<Set<string>> {
  const kinds = await kubectl.run([
    "api-resources",
    "--namespaced=false",
    "--verbs=list",
    "--cached=false",
    "-o",
    "name",
  ]);
  // Not stored, but computed for each request.
  const kept = kinds.split("\n").filter((kind) => kind !== "" && kind !== "componentstatuses");
  return new Set((await kubectl.run(["get", kept.join(","), "-o", "name"])).split("\n").filter(Boolean));
}
