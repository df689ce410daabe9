import type { KubeClient } from "@butler/kube";
import { secretKubeconfigs, TenantClients, type TenantClientsOptions } from "@butler/tenant-clients";
import { type ControlPlaneProbe, probeControlPlane } from "./control-plane-probe.ts";
import { type NodeImages, nodeImagesFrom } from "./node-images.ts";
import { createProviderIdWriter, type ProviderIdWriter } from "./provider-id-writer.ts";
import { createTenantWriter, fieldManager, type TenantWriter } from "./tenant-writer.ts";

/** The provider's dependencies other than its caches. */
export interface LocalProviderPorts {
  readonly controlPlaneProbe: ControlPlaneProbe;
  readonly setProviderID: ProviderIdWriter;
  readonly nodeImages: NodeImages;
  readonly writeToTenant: TenantWriter;
}

/** The ports in production. */
export function createLocalProviderPorts(
  client: KubeClient,
  nodeImages: NodeImages = nodeImagesFrom(),
  observers: Pick<TenantClientsOptions, "logger" | "metrics"> = {},
): LocalProviderPorts {
  const source = secretKubeconfigs({ client });
  // Writes are rare; each uses the current credentials of the Secret.
  const tenants = new TenantClients({ ...observers, source, recheckMs: 0, userAgent: fieldManager });
  return {
    controlPlaneProbe: probeControlPlane,
    setProviderID: createProviderIdWriter(client),
    nodeImages,
    writeToTenant: createTenantWriter(tenants),
  };
}
