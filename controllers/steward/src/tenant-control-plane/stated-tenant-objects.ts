import type { TenantControlPlane } from "@butler/api";
import type { KubeObject } from "@butler/resource";
import { tenantObjects, type TenantObjectsInput } from "../tenant-side/index.ts";

/** The objects that a tenant cluster must contain, from its control plane. Throws InvalidInput for invalid settings. */
export function statedTenantObjects(
  { metadata, spec }: TenantControlPlane,
  { endpoint, caPem }: Pick<TenantObjectsInput, "endpoint" | "caPem">,
): KubeObject[] {
  const { networkProfile, kubernetes, addons, controlPlane } = spec;
  const { clusterDomain, serviceCidr, podCidr, dnsServiceIPs, certSANs } = networkProfile;
  const { cgroupfs, configurationJSONPatches } = kubernetes.kubelet;
  return tenantObjects({
    clusterName: metadata.name,
    version: kubernetes.version,
    endpoint,
    caPem,
    clusterDomain,
    serviceCidr,
    podCidr,
    dnsServiceIPs,
    certSANs,
    imageRepository: controlPlane.deployment.registrySettings.registry,
    kubelet: { cgroupDriver: cgroupfs, patches: configurationJSONPatches },
    coreDNS: addons.coreDNS,
    kubeProxy: addons.kubeProxy,
  });
}
