import type { KubeObject } from "@butler/resource";
import { conditionsOf, listAt, textAt, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** A Service is ready immediately, except that one of type LoadBalancer waits for its address. */
export function serviceReadiness(object: KubeObject): Readiness {
  if (textAt(object, "spec", "type") !== "LoadBalancer") return ready("it exists");
  const hasAddress =
    listAt(object, "status", "loadBalancer", "ingress").length > 0 || listAt(object, "spec", "externalIPs").length > 0;
  return hasAddress ? ready("it has an address") : progressing("it is waiting for a load balancer address");
}

/** A namespace is ready unless it is terminating. */
export function namespaceReadiness(object: KubeObject): Readiness {
  const phase = textAt(object, "status", "phase");
  return phase === "Terminating" ? progressing("it is being deleted") : ready("it exists");
}

/** A definition is ready when its kind is served. Waiting does not free names that another definition holds. */
export function definitionReadiness(object: KubeObject): Readiness {
  const conditions = conditionsOf(object);
  const refused = conditions.find(({ type, status }) => type === "NamesAccepted" && status === "False");
  if (refused !== undefined) return failed(`its names are not accepted: ${wordsOf(refused)}`);
  const isServed = conditions.some(({ type, status }) => type === "Established" && status === "True");
  return isServed ? ready("its kind is served") : progressing("its kind is not served yet");
}

/** An API service is ready when the server behind it responds. */
export function apiServiceReadiness(object: KubeObject): Readiness {
  const available = conditionsOf(object).find(({ type }) => type === "Available");
  if (available?.status === "True") return ready("its API is available");
  return progressing(
    available === undefined ? "its API has not been checked yet" : `its API is not available: ${wordsOf(available)}`,
  );
}
