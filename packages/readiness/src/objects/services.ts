import type { KubeObject } from "@butler/resource";
import { conditionsOf, listAt, textAt, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** A Service is ready at once, except that one with a load balancer waits for its address. */
export function serviceReadiness(object: KubeObject): Readiness {
  if (textAt(object, "spec", "type") !== "LoadBalancer") return ready("it exists");
  const hasAddress =
    listAt(object, "status", "loadBalancer", "ingress").length > 0 || listAt(object, "spec", "externalIPs").length > 0;
  return hasAddress ? ready("it has an address") : progressing("it waits for the address of its load balancer");
}

/** A namespace is ready while it is not on its way out. */
export function namespaceReadiness(object: KubeObject): Readiness {
  const phase = textAt(object, "status", "phase");
  return phase === "Terminating" ? progressing("it is being deleted") : ready("it exists");
}

/** A definition is ready when its kind is served. Names that another definition holds do not become free by waiting. */
export function definitionReadiness(object: KubeObject): Readiness {
  const conditions = conditionsOf(object);
  const refused = conditions.find(({ type, status }) => type === "NamesAccepted" && status === "False");
  if (refused !== undefined) return failed(`its names are taken: ${wordsOf(refused)}`);
  const isServed = conditions.some(({ type, status }) => type === "Established" && status === "True");
  return isServed ? ready("its kind is served") : progressing("its kind is not served yet");
}

/** An API service is ready when the server behind it answers. */
export function apiServiceReadiness(object: KubeObject): Readiness {
  const available = conditionsOf(object).find(({ type }) => type === "Available");
  if (available?.status === "True") return ready("its API is available");
  return progressing(
    available === undefined ? "its API is not looked at yet" : `its API is not available: ${wordsOf(available)}`,
  );
}
