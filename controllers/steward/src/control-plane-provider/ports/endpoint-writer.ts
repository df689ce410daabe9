import { StewardControlPlane } from "@butler/api";
import type { ApiEndpoint } from "@butler/api-external";
import type { KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";

/** The control plane (by UID, not name) and the endpoint to set on it. */
export interface EndpointAssignment extends ObjectKey {
  readonly uid: string | undefined;
  readonly endpoint: ApiEndpoint;
}

/** Writes the endpoint into a control plane's spec. Writing the same again changes nothing. */
export type EndpointWriter = (assignment: EndpointAssignment, signal: AbortSignal) => Promise<void>;

/** Writes through the API. A deleted control plane needs no endpoint. */
export function createEndpointWriter(client: KubeClient): EndpointWriter {
  return async ({ name, namespace, uid, endpoint }, signal) => {
    const patch = { metadata: { uid }, spec: { controlPlaneEndpoint: endpoint } };
    await client
      .patch(StewardControlPlane, { name, namespace }, { type: "merge", patch, signal })
      .catch(ignoreNotFound);
  };
}
