import type { KubeObject } from "@butler/resource";
import { conditionsOf, listAt, textAt, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** A Service is ready immediately, except that one of type LoadBalancer waits for its address. */
export function serviceReadiness(object: KubeObject): Readiness {
  if (textAt(object, "spec", "type") !== "LoadBalancer") return ready("exists");
  const hasAddress =
    listAt(object, "status", "loadBalancer", "ingress").length > 0 || listAt(object, "spec", "externalIPs").length > 0;
  return hasAddress ? ready("has an address") : progressing("waiting for a load balancer address");
}

/** A namespace is ready unless it is terminating. */
export function namespaceReadiness(object: KubeObject): Readiness {
  const phase = textAt(object, "status", "phase");
  return phase === "Terminating" ? progressing("being deleted") : ready("exists");
}

/** A definition is ready when its kind is served. Waiting does not free names that another definition holds. */
export function definitionReadiness(object: KubeObject): Readiness {
  const conditions = conditionsOf(object);
  const refused = conditions.find(({ type, status }) => type === "NamesAccepted" && status === "False");
  if (refused !== undefined) return failed(`names not accepted: ${wordsOf(refused)}`);
  const isServed = conditions.some(({ type, status }) => type === "Established" && status === "True");
  return isServed ? ready("kind is served") : progressing("kind is not served yet");
}

/** An API service is ready when the server behind it responds. */
export function apiServiceReadiness(object: KubeObject): Readiness {
  const available = conditionsOf(object).find(({ type }) => type === "Available");
  if (available?.status === "True") return ready("API available");
  return progressing(
    available === undefined ? "API availability not checked yet" : `API not available: ${wordsOf(available)}`,
  );
}
