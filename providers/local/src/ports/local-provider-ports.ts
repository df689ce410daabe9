import type { KubeClient } from "@butler/kube";
import { type ControlPlaneProbe, probeControlPlane } from "./control-plane-probe.ts";
import { type NodeImages, nodeImagesFrom } from "./node-images.ts";
import { createProviderIdWriter, type ProviderIdWriter } from "./provider-id-writer.ts";
import { createTenantWriter, type TenantWriter } from "./tenant-writer.ts";

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
): LocalProviderPorts {
  return {
    controlPlaneProbe: probeControlPlane,
    setProviderID: createProviderIdWriter(client),
    nodeImages,
    writeToTenant: createTenantWriter(client),
  };
}
