import type { KubeObject } from "@butler/resource";
import { endpointText, InvalidInput, type IpRange, parseIpRange } from "@butler/std";
import { isIP } from "node:net";
import { dnsServiceAddress } from "../../dns-service-address.ts";
import { coreDNSObjects, type CoreDNSOptions } from "./core-dns.ts";
import { accessObjects, clusterInfoObjects, kubeadmConfigObjects, kubeletConfigObjects } from "./join-objects.ts";
import { kubeProxyObjects, type KubeProxyOptions } from "./kube-proxy.ts";
import { buildKubeletConfiguration, type KubeletOptions } from "./kubelet-configuration.ts";
import { parseTenantVersion, type TenantVersion } from "./kubernetes-minor.ts";

/** The settings of a tenant that determine the objects in its cluster. */
export interface TenantObjectsInput {
  readonly clusterName: string;
  /** The Kubernetes version of the control plane, such as v1.36.3. */
  readonly version: string;
  /** Where nodes and users reach the API server. */
  readonly endpoint: { readonly host: string; readonly port: number };
  /** The CA certificate of the cluster. */
  readonly caPem: string;
  readonly clusterDomain: string;
  readonly serviceCidr: string;
  readonly podCidr: string;
  /** Defaults to the tenth address of `serviceCidr` (the sixteenth in IPv6). */
  readonly dnsServiceIPs?: readonly string[] | undefined;
  readonly certSANs?: readonly string[] | undefined;
  /** The registry of Kubernetes' own images; by default registry.k8s.io. */
  readonly imageRepository?: string | undefined;
  readonly kubelet?: KubeletOptions | undefined;
  /** When absent, Steward installs no CoreDNS. */
  readonly coreDNS?: CoreDNSOptions | undefined;
  /** When absent, Steward installs no kube-proxy. */
  readonly kubeProxy?: KubeProxyOptions | undefined;
}

const upstreamRegistry = "registry.k8s.io";
const defaultCoreDNSReplicas = 2;

/** The objects that a tenant cluster must contain so that nodes can join it, in creation order. */
export function tenantObjects(input: TenantObjectsInput): KubeObject[] {
  const version = parseTenantVersion(input.version);
  const serviceRange = parseIpRange(input.serviceCidr);
  parseIpRange(input.podCidr);
  const dnsServiceIPs = dnsServiceIPsOf(input, serviceRange);
  const { clusterDomain, podCidr } = input;
  const server = `https://${endpointText(input.endpoint)}`;
  const kubelet = { ...input.kubelet, minor: version.minor, clusterDNS: dnsServiceIPs, clusterDomain };
  return [
    ...accessObjects(),
    ...kubeadmConfigObjects(buildClusterConfiguration(input, version)),
    ...kubeletConfigObjects(buildKubeletConfiguration(kubelet)),
    ...clusterInfoObjects({ server, caPem: input.caPem }),
    ...(input.coreDNS === undefined
      ? []
      : coreDNSObjects({
          image: coreDNSImage(input, version),
          replicas: input.coreDNS.replicas ?? defaultCoreDNSReplicas,
          clusterDomain,
          serviceIP: dnsServiceIPs[0] ?? "",
          hasNamedProbePorts: version.traits.hasNamedProbePorts,
        })),
    ...(input.kubeProxy === undefined
      ? []
      : kubeProxyObjects({
          ...input.kubeProxy,
          image: kubeProxyImage(input, version),
          server,
          podCidr,
          bindAddress: serviceRange.family === 4 ? "0.0.0.0" : "::",
        })),
  ];
}

/** The ClusterConfiguration that kubeadm reads when a node joins. It has no etcd: nodes must not access it. */
function buildClusterConfiguration(input: TenantObjectsInput, version: TenantVersion): object {
  const { certSANs = [], coreDNS, kubeProxy } = input;
  const image = (of: CoreDNSOptions | KubeProxyOptions): object => ({
    ...(of.imageRepository ? { imageRepository: of.imageRepository } : {}),
    ...(of.imageTag ? { imageTag: of.imageTag } : {}),
  });
  return {
    apiVersion: "kubeadm.k8s.io/v1beta4",
    kind: "ClusterConfiguration",
    clusterName: input.clusterName,
    kubernetesVersion: version.text,
    controlPlaneEndpoint: endpointText(input.endpoint),
    certificatesDir: "/etc/kubernetes/pki",
    imageRepository: input.imageRepository || upstreamRegistry,
    networking: { dnsDomain: input.clusterDomain, podSubnet: input.podCidr, serviceSubnet: input.serviceCidr },
    ...(certSANs.length === 0 ? {} : { apiServer: { certSANs: [...certSANs] } }),
    dns: coreDNS === undefined ? { disabled: true } : image(coreDNS),
    // kubeadm derives the kube-proxy image from the registry and the version only.
    proxy: kubeProxy === undefined ? { disabled: true } : {},
  };
}

function dnsServiceIPsOf({ dnsServiceIPs = [] }: TenantObjectsInput, serviceRange: IpRange): readonly string[] {
  const wrong = dnsServiceIPs.find((address) => isIP(address) === 0);
  if (wrong !== undefined) {
    throw new InvalidInput(`${JSON.stringify(wrong)} is not a valid address for the DNS Service`, {
      hint: "Use addresses in the Service CIDR, or leave dnsServiceIPs empty.",
    });
  }
  return dnsServiceIPs.length > 0 ? dnsServiceIPs : [dnsServiceAddress(serviceRange)];
}

/** Upstream's registry has CoreDNS in a folder of its own; mirrors have it beside the other images. */
function coreDNSImage({ coreDNS, imageRepository }: TenantObjectsInput, { traits }: TenantVersion): string {
  const repository = coreDNS?.imageRepository || imageRepository || upstreamRegistry;
  const folder = repository === upstreamRegistry ? `${repository}/coredns` : repository;
  return `${folder}/coredns:${coreDNS?.imageTag || traits.coreDNSTag}`;
}

function kubeProxyImage({ kubeProxy, imageRepository }: TenantObjectsInput, { tag }: TenantVersion): string {
  const repository = kubeProxy?.imageRepository || imageRepository || upstreamRegistry;
  return `${repository}/kube-proxy:${kubeProxy?.imageTag || tag}`;
}
