import { TenantControlPlane } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const controlPlane = manifestOf(TenantControlPlane, "default/bad-values", {
  controlPlane: { service: { serviceType: "LoadBalancer" } },
  kubernetes: { version: "v1.36.3", kubelet: {} },
  addons: { coreDNS: {}, konnectivity: {} },
});

interface Value {
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
  /** What the refusal says after the path of the changed field. */
  readonly says: string;
}

const names: readonly Value[] = [
  {
    name: "version without a patch number",
    path: "kubernetes.version",
    value: "v1.36",
    says: ': Invalid value: "v1.36": must be a full version such as v1.36.3',
  },
  {
    name: "schema that could end a statement",
    path: "dataStoreSchema",
    value: "blue'; --",
    says: `: Invalid value: "blue'; --": must consist of 1 to 63 letters, digits, '_' or '-'`,
  },
  {
    name: "store user with an at sign",
    path: "dataStoreUsername",
    value: "blue@store",
    says: ": Invalid value: \"blue@store\": must consist of 1 to 63 letters, digits, '_' or '-'",
  },
  {
    name: "override of something that is no resource",
    path: "dataStoreOverrides",
    value: [{ resource: "/events#http://other", dataStore: "events" }],
    says: '[0].resource: Invalid value: "/events#http://other": must be group/resource, such as /events',
  },
  {
    name: "override without a store",
    path: "dataStoreOverrides",
    value: [{ resource: "/events" }],
    says: "[0].dataStore: Required value",
  },
  {
    name: "port name with a dot",
    path: "controlPlane.service.additionalPorts",
    value: [{ name: "audit.log", port: 9000, targetPort: 9000 }],
    says: "[0].name: Invalid value: \"audit.log\": must consist of lowercase letters, digits and '-'",
  },
  ...["kube-apiserver", "konnectivity-server", "steward-trustd"].map((reserved) => ({
    name: `additional port named ${reserved}`,
    path: "controlPlane.service.additionalPorts",
    value: [{ name: reserved, port: 9000, targetPort: 9000 }],
    says: `[0].name: Invalid value: "${reserved}": kube-apiserver, konnectivity-server and steward-trustd are reserved`,
  })),
];

const network: readonly Value[] = [
  {
    name: "Service range that is no CIDR",
    path: "networkProfile.serviceCidr",
    value: "10.96/16",
    says: ': Invalid value: "10.96/16": must be a CIDR such as 10.96.0.0/16',
  },
  {
    name: "pod range without a prefix length",
    path: "networkProfile.podCidr",
    value: "10.244.0.0",
    says: ': Invalid value: "10.244.0.0": must be a CIDR such as 10.244.0.0/16',
  },
  {
    name: "source range that is an address",
    path: "networkProfile.loadBalancerSourceRanges",
    value: ["203.0.113.7"],
    says: '[0]: Invalid value: "203.0.113.7": must be a CIDR such as 203.0.113.0/24',
  },
  {
    name: "DNS address that is a name",
    path: "networkProfile.dnsServiceIPs",
    value: ["kube-dns"],
    says: '[0]: Invalid value: "kube-dns": must be an IP address such as 10.96.0.10',
  },
  {
    name: "DNS address outside the Service range",
    path: "networkProfile.dnsServiceIPs",
    value: ["10.97.0.10"],
    says: ": Invalid value: must be within serviceCidr when addons.coreDNS is set",
  },
  {
    name: "cluster domain without a dot",
    path: "networkProfile.clusterDomain",
    value: "local",
    says: ': Invalid value: "local": must be a DNS name with at least one dot, such as cluster.local',
  },
  {
    name: "announced address with a scheme",
    path: "networkProfile.address",
    value: "https://10.40.1.100",
    says: ': Invalid value: "https://10.40.1.100": must be an IP address such as 10.40.1.100 or a DNS name',
  },
  {
    name: "certificate name with a port",
    path: "networkProfile.certSANs",
    value: ["*.example.com", "blue.example.com:6443"],
    says: '[1]: Invalid value: "blue.example.com:6443": must be an IP address or a DNS name such as api.example.com',
  },
  {
    name: "ingress hostname with a path",
    path: "controlPlane.ingress",
    value: { hostname: "blue.example.com/api" },
    says: '.hostname: Invalid value: "blue.example.com/api": must be a lowercase DNS name such as blue.k8s.example.com',
  },
  {
    name: "gateway hostname with a port",
    path: "controlPlane.gateway",
    value: { hostname: "blue.example.com:6443" },
    says: '.hostname: Invalid value: "blue.example.com:6443": must be a lowercase DNS name without a port, such as',
  },
  ...["0", "65536"].map((port) => ({
    name: `ingress hostname with port ${port}`,
    path: "controlPlane.ingress",
    value: { hostname: `blue.example.com:${port}` },
    says: `.hostname: Invalid value: "blue.example.com:${port}": must have a port from 1 to 65535 after the colon`,
  })),
  {
    name: "gateway hostname that is an address",
    path: "controlPlane.gateway",
    value: { hostname: "192.0.2.1" },
    says: '.hostname: Invalid value: "192.0.2.1": must be a DNS name, because connections are routed by server name',
  },
  {
    name: "gateway parent with a section name",
    path: "controlPlane.gateway",
    value: { hostname: "blue.example.com", parentRefs: [{ name: "edge", sectionName: "https" }] },
    says: ".parentRefs[0]: Invalid value: port and sectionName must be unset: Steward sets them for each route",
  },
  {
    name: "gateway parent with a port",
    path: "controlPlane.gateway",
    value: { hostname: "blue.example.com", parentRefs: [{ name: "edge", port: 443 }] },
    says: ".parentRefs[0]: Invalid value: port and sectionName must be unset: Steward sets them for each route",
  },
  {
    name: "konnectivity on the port of the API server",
    path: "addons.konnectivity.server.port",
    value: 6443,
    says: ": Invalid value: must differ from networkProfile.port",
  },
];

const pods: readonly Value[] = [
  {
    name: "CPU request that is no quantity",
    path: "controlPlane.deployment.resources.apiServer.requests",
    value: { cpu: "lots" },
    says: '[cpu]: Invalid value: "lots": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "surge that is neither number nor percentage",
    path: "controlPlane.deployment.strategy.rollingUpdate.maxSurge",
    value: "half",
    says: ': Invalid value: "half": must be a number of pods such as 1 or a percentage such as 25%',
  },
  {
    name: "pace of a rolling update with Recreate",
    path: "controlPlane.deployment.strategy",
    value: { type: "Recreate", rollingUpdate: { maxSurge: 1 } },
    says: ".rollingUpdate: Forbidden: may only be set when type is RollingUpdate",
  },
  {
    name: "certificate lifetime in years",
    path: "certificates.lifetime",
    value: "1y",
    says: ': Invalid value: "1y": must be a duration such as 30s, 10m or 1h30m',
  },
  {
    name: "JSON patch whose path is no pointer",
    path: "kubernetes.kubelet.configurationJSONPatches",
    value: [{ op: "add", path: "maxPods", value: 64 }],
    says: '[0].path: Invalid value: "maxPods": must be a JSON pointer such as /maxPods',
  },
  {
    name: "JSON patch that moves from nowhere",
    path: "kubernetes.kubelet.configurationJSONPatches",
    value: [{ op: "move", path: "/maxPods" }],
    says: "[0].from: Required value: must be set when op is move or copy",
  },
];

const addons: readonly Value[] = [
  {
    name: "negative number of tracked connections",
    path: "addons.kubeProxy",
    value: { conntrackMaxPerCore: -1 },
    says: ".conntrackMaxPerCore in body should be greater than or equal to 0",
  },
  {
    name: "number of agents in a DaemonSet",
    path: "addons.konnectivity.agent",
    value: { replicas: 2 },
    says: ".replicas: Invalid value: must be 0 or unset when mode is DaemonSet",
  },
  {
    name: "no agents in a Deployment",
    path: "addons.konnectivity.agent",
    value: { mode: "Deployment", replicas: 0 },
    says: ".replicas: Invalid value: must be greater than 0 or unset when mode is Deployment",
  },
  {
    name: "host alias that is no address",
    path: "addons.tcpProxy",
    value: { hostAliases: [{ ip: "blue", hostnames: ["blue.example.com"] }] },
    says: '.hostAliases[0].ip: Invalid value: "blue": must be an IP address such as 10.40.1.100',
  },
  {
    name: "Talos workers without their settings",
    path: "addons.workerBootstrap",
    value: { provider: "talos" },
    says: ".talos: Required value: must be set when provider is talos; use {} for the defaults",
  },
  {
    name: "trustd on the port of konnectivity",
    path: "addons.workerBootstrap",
    value: { provider: "talos", talos: { port: 8132 } },
    says: ".talos.port: Invalid value: must differ from networkProfile.port and addons.konnectivity.server.port",
  },
  {
    name: "worker subnet that is no CIDR",
    path: "addons.workerBootstrap",
    value: { provider: "talos", talos: {}, allowedSubnets: ["10.40.0.0-10.40.3.255"] },
    says: '.allowedSubnets[0]: Invalid value: "10.40.0.0-10.40.3.255": must be a CIDR such as 10.40.0.0/22',
  },
];

/** TenantControlPlanes with one value that no rule of their schema accepts. */
export const badControlPlaneValues: readonly BadManifest[] = [
  ...[...names, ...network, ...pods, ...addons].map(({ name, path, value, says }) => ({
    name: `TenantControlPlane: ${name}`,
    manifest: changeSpec(controlPlane, path, value),
    expect: `spec.${path}${says}`,
  })),
  {
    name: "TenantControlPlane: ingress and gateway at once",
    manifest: changeSpec(
      changeSpec(controlPlane, "controlPlane.ingress", { hostname: "blue.example.com" }),
      "controlPlane.gateway",
      { hostname: "blue.example.com" },
    ),
    expect: "spec.controlPlane: Invalid value: ingress and gateway are mutually exclusive; set one of them",
  },
];
