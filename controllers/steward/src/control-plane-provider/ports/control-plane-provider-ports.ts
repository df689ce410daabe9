import type { KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, type ObjectKey } from "@butler/resource";
import { createEndpointWriter, type EndpointWriter } from "./endpoint-writer.ts";
import { createInfrastructureClusters, type InfrastructureClusters } from "./infrastructure-clusters.ts";

/** Everything that the provider uses besides its caches. */
export interface ControlPlaneProviderPorts {
  readonly setEndpoint: EndpointWriter;
  readonly infrastructure: InfrastructureClusters;
  /** Reads a Secret that may lack the label by which others are cached. */
  readonly findSecret: (key: ObjectKey, signal: AbortSignal) => Promise<DynamicObject | undefined>;
}

/** The ports as they are in production. */
export function createControlPlaneProviderPorts(client: KubeClient): ControlPlaneProviderPorts {
  return {
    setEndpoint: createEndpointWriter(client),
    infrastructure: createInfrastructureClusters(client),
    findSecret: (key, signal) => client.find(builtinKinds.Secret, key, signal),
  };
}
