import { ClusterBootstrap } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const clusterBootstrap = manifestOf(ClusterBootstrap, "butler-system/bad-bootstrap", {
  provider: "harvester",
  providerRef: { name: "harvester" },
  cluster: { name: "management", controlPlane: { replicas: 3, cpu: 4, memoryMB: 8192, diskGB: 60 } },
  network: {
    podCIDR: "10.244.0.0/16",
    serviceCIDR: "10.96.0.0/12",
    vip: "10.40.0.10",
    loadBalancerPool: { start: "10.40.1.100", end: "10.40.1.150" },
  },
  talos: { version: "v1.9.3", schematic: "", configPatches: [{ op: "remove", path: "/machine/time" }] },
});

/** Broken ClusterBootstraps. */
export const badBootstraps: readonly BadManifest[] = [
  {
    name: "ClusterBootstrap: provider is unknown",
    manifest: changeSpec(clusterBootstrap, "provider", "vsphere"),
    expect: 'spec.provider: Unsupported value: "vsphere": supported values: "harvester", "nutanix", "proxmox"',
  },
  {
    name: "ClusterBootstrap: reference to the provider is missing",
    manifest: changeSpec(clusterBootstrap, "providerRef", undefined),
    expect: "spec.providerRef: Required value",
  },
  {
    name: "ClusterBootstrap: cluster name has capitals",
    manifest: changeSpec(clusterBootstrap, "cluster.name", "Management"),
    expect: 'spec.cluster.name: Invalid value: "Management": must consist of lowercase letters, digits and',
  },
  {
    name: "ClusterBootstrap: cluster name is too long",
    manifest: changeSpec(clusterBootstrap, "cluster.name", "m".repeat(64)),
    expect: "spec.cluster.name: Too long: may not be more than 63",
  },
  {
    name: "ClusterBootstrap: topology is unknown",
    manifest: changeSpec(clusterBootstrap, "cluster.topology", "multi-node"),
    expect: 'spec.cluster.topology: Unsupported value: "multi-node": supported values: "single-node", "ha"',
  },
  {
    name: "ClusterBootstrap: control plane of eleven nodes",
    manifest: changeSpec(clusterBootstrap, "cluster.controlPlane.replicas", 11),
    expect: "spec.cluster.controlPlane.replicas in body should be less than or equal to 10",
  },
  {
    name: "ClusterBootstrap: control plane without a size",
    manifest: changeSpec(clusterBootstrap, "cluster.controlPlane.cpu", undefined),
    expect: "spec.cluster.controlPlane.cpu: Required value",
  },
  {
    name: "ClusterBootstrap: control plane has too little memory",
    manifest: changeSpec(clusterBootstrap, "cluster.controlPlane.memoryMB", 1024),
    expect: "spec.cluster.controlPlane.memoryMB in body should be greater than or equal to 2048",
  },
  {
    name: "ClusterBootstrap: memory is a quantity",
    manifest: changeSpec(clusterBootstrap, "cluster.controlPlane.memoryMB", "8Gi"),
    expect: "spec.cluster.controlPlane.memoryMB in body must be of type integer",
  },
  {
    name: "ClusterBootstrap: root disk is too small",
    manifest: changeSpec(clusterBootstrap, "cluster.controlPlane.diskGB", 10),
    expect: "spec.cluster.controlPlane.diskGB in body should be greater than or equal to 20",
  },
  {
    name: "ClusterBootstrap: extra disk without a size",
    manifest: changeSpec(clusterBootstrap, "cluster.controlPlane.extraDisks", [{ storageClass: "ssd" }]),
    expect: "spec.cluster.controlPlane.extraDisks[0].sizeGB: Required value",
  },
  {
    name: "ClusterBootstrap: pod network without a length",
    manifest: changeSpec(clusterBootstrap, "network.podCIDR", "10.244.0.0"),
    expect: 'spec.network.podCIDR: Invalid value: "10.244.0.0": must be a CIDR such as 10.244.0.0/16',
  },
  {
    name: "ClusterBootstrap: service network with an impossible address",
    manifest: changeSpec(clusterBootstrap, "network.serviceCIDR", "10.960.0.0/12"),
    expect: 'spec.network.serviceCIDR: Invalid value: "10.960.0.0/12": must be a CIDR such as 10.96.0.0/12',
  },
  {
    name: "ClusterBootstrap: virtual address is mistyped",
    manifest: changeSpec(clusterBootstrap, "network.vip", "10.40.0.300"),
    expect: 'spec.network.vip: Invalid value: "10.40.0.300": must be an IP address such as 10.40.0.10, or a DNS name',
  },
  {
    name: "ClusterBootstrap: virtual address is a URL",
    manifest: changeSpec(clusterBootstrap, "network.vip", "https://api.example.com"),
    expect: 'spec.network.vip: Invalid value: "https://api.example.com": must be an IP address such as',
  },
  {
    name: "ClusterBootstrap: virtual address is in the load balancer pool",
    manifest: changeSpec(clusterBootstrap, "network.vip", "10.40.1.120"),
    expect: "spec.network.vip: Invalid value: must be outside loadBalancerPool",
  },
  {
    name: "ClusterBootstrap: load balancer pool start is not an address",
    manifest: changeSpec(clusterBootstrap, "network.loadBalancerPool.start", "999.1.1.1"),
    expect: 'spec.network.loadBalancerPool.start: Invalid value: "999.1.1.1": must be an IP address such as',
  },
  {
    name: "ClusterBootstrap: load balancer pool ends before it starts",
    manifest: changeSpec(clusterBootstrap, "network.loadBalancerPool.end", "10.40.1.99"),
    expect: "spec.network.loadBalancerPool.end: Invalid value: must be greater than or equal to start",
  },
  {
    name: "ClusterBootstrap: load balancer pool mixes IPv4 and IPv6",
    manifest: changeSpec(clusterBootstrap, "network.loadBalancerPool.end", "fd00::1"),
    expect: "spec.network.loadBalancerPool: Invalid value: start and end must both be IPv4 or both be IPv6 addresses",
  },
  {
    name: "ClusterBootstrap: load balancer pool without an end",
    manifest: changeSpec(clusterBootstrap, "network.loadBalancerPool.end", undefined),
    expect: "spec.network.loadBalancerPool.end: Required value",
  },
  {
    name: "ClusterBootstrap: Talos version without the v",
    manifest: changeSpec(clusterBootstrap, "talos.version", "1.9.3"),
    expect: 'spec.talos.version: Invalid value: "1.9.3": must be a Talos version such as v1.9.3',
  },
  {
    name: "ClusterBootstrap: schematic is missing",
    manifest: changeSpec(clusterBootstrap, "talos.schematic", undefined),
    expect: "spec.talos.schematic: Required value",
  },
  {
    name: "ClusterBootstrap: patch with an unsupported operation",
    manifest: changeSpec(clusterBootstrap, "talos.configPatches.0.op", "move"),
    expect: 'spec.talos.configPatches[0].op: Unsupported value: "move": supported values: "add", "remove", "replace"',
  },
  {
    name: "ClusterBootstrap: patch value is a number in place of JSON text",
    manifest: changeSpec(clusterBootstrap, "talos.configPatches.0.value", 9000),
    expect: "spec.talos.configPatches[0].value in body must be of type string",
  },
  {
    name: "ClusterBootstrap: network add-on is unknown",
    manifest: changeSpec(clusterBootstrap, "addons.cni.type", "calico"),
    expect: 'spec.addons.cni.type: Unsupported value: "calico": supported values: "cilium", "none"',
  },
  {
    name: "ClusterBootstrap: GitOps add-on as in a TenantCluster",
    manifest: changeSpec(clusterBootstrap, "addons.gitops", { type: "flux" }),
    expect: 'unknown field "spec.addons.gitops"',
  },
  {
    name: "ClusterBootstrap: further infrastructure provider is unknown",
    manifest: changeSpec(clusterBootstrap, "addons.capi.infrastructureProviders", [{ name: "docker" }]),
    expect: 'spec.addons.capi.infrastructureProviders[0].name: Unsupported value: "docker": supported values:',
  },
  {
    name: "ClusterBootstrap: Ingress exposure without a hostname",
    manifest: changeSpec(clusterBootstrap, "controlPlaneExposure", { mode: "Ingress" }),
    expect: "spec.controlPlaneExposure.hostname: Required value: must be set to a wildcard domain such as",
  },
  {
    name: "ClusterBootstrap: Gateway exposure with an empty Gateway",
    manifest: changeSpec(clusterBootstrap, "controlPlaneExposure", {
      mode: "Gateway",
      hostname: "*.k8s.example.com",
      gatewayRef: "",
    }),
    expect:
      "spec.controlPlaneExposure.gatewayRef: Required value: must be set to the namespace/name of the Gateway when mode is Gateway",
  },
];
