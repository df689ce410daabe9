import type { KubeClient } from "@butler/kube";
import { secretKubeconfigs, TenantClients, type TenantClientsOptions } from "@butler/tenant";
import { type ControlPlaneProbe, probeControlPlane } from "./control-plane-probe.ts";
import { type NodeImages, nodeImagesFrom } from "./node-images.ts";
import { createProviderIdWriter, type ProviderIdWriter } from "./provider-id-writer.ts";
import { createTenantWriter, fieldManager, type TenantWriter } from "./tenant-writer.ts";

/** Everything outside its caches that the provider works with. */
export interface LocalProviderPorts {
  readonly controlPlaneProbe: ControlPlaneProbe;
  readonly setProviderID: ProviderIdWriter;
  readonly nodeImages: NodeImages;
  readonly writeToTenant: TenantWriter;
}

/** The ports as they are in production. */
export function createLocalProviderPorts(
  client: KubeClient,
  nodeImages: NodeImages = nodeImagesFrom(),
  observers: Pick<TenantClientsOptions, "logger" | "metrics"> = {},
): LocalProviderPorts {
  const source = secretKubeconfigs({ client });
  // Writes are rare; each of them is made with the credentials that the Secret has by then.
  const tenants = new TenantClients({ ...observers, source, recheckMs: 0, userAgent: fieldManager });
  return {
    controlPlaneProbe: probeControlPlane,
    setProviderID: createProviderIdWriter(client),
    nodeImages,
    writeToTenant: createTenantWriter(tenants),
  };
}
