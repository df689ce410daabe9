import type { KubeObject } from "@butler/resource";
import { textAt } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

const selectedNode = "volume.kubernetes.io/selected-node";

/**
 * A claim is ready when it is bound. One whose storage class binds at first use, and which no pod uses yet,
 * counts as ready too: it stays pending until a pod uses it, and neither the chart nor time can change that. Once a
 * pod uses it, the scheduler annotates the claim, and from then on the volume is waited for.
 */
export function claimReadiness(object: KubeObject, lateClasses: ReadonlySet<string> = new Set()): Readiness {
  const phase = textAt(object, "status", "phase");
  if (phase === "Bound") return ready("bound");
  if (phase === "Lost") return failed("volume lost");
  const storageClass = textAt(object, "spec", "storageClassName");
  const isAskedFor = (object.metadata.annotations?.[selectedNode] ?? "") !== "";
  if (lateClasses.has(storageClass) && !isAskedFor)
    return ready("volume is provisioned when a pod first uses the claim");
  return progressing(
    storageClass === "" ? "waiting for a volume" : `waiting for a volume of storage class ${storageClass}`,
  );
}

/** The names of the storage classes with volume binding mode WaitForFirstConsumer. */
export function lateClassesOf(storageClasses: readonly KubeObject[]): ReadonlySet<string> {
  const late = storageClasses.filter((each) => textAt(each, "volumeBindingMode") === "WaitForFirstConsumer");
  return new Set(late.map(({ metadata }) => metadata.name));
}
