import { TenantControlPlane } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const controlPlane = manifestOf(TenantControlPlane, "default/bad-control-plane", {
  dataStore: "default",
  dataStoreSchema: "blue",
  dataStoreUsername: "blue",
  controlPlane: {
    deployment: { replicas: 2, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
    service: { serviceType: "LoadBalancer" },
  },
  kubernetes: { version: "v1.36.3", kubelet: {} },
  networkProfile: { loadBalancerClass: "example.com/internal" },
  addons: { coreDNS: {}, konnectivity: {} },
});
const withoutClass = changeSpec(controlPlane, "networkProfile.loadBalancerClass", undefined);
const onNodePort = changeSpec(withoutClass, "controlPlane.service.serviceType", "NodePort");

type Row = readonly [name: string, path: string, value: unknown, expect: string];

const structure: readonly Row[] = [
  ["unknown field", "dataStoreName", "default", 'unknown field "spec.dataStoreName"'],
  [
    "write limit in the spelling of the old documentation",
    "writePermissions.blockCreate",
    true,
    'unknown field "spec.writePermissions.blockCreate"',
  ],
  [
    "resources without a component",
    "controlPlane.deployment.resources.requests",
    { cpu: "1" },
    'unknown field "spec.controlPlane.deployment.resources.requests"',
  ],
  [
    "host network for the konnectivity server",
    "addons.konnectivity.server.hostNetwork",
    true,
    'unknown field "spec.addons.konnectivity.server.hostNetwork"',
  ],
  ["no control plane", "controlPlane", undefined, "spec.controlPlane: Required value"],
  ["no Service", "controlPlane.service", undefined, "spec.controlPlane.service: Required value"],
  ["no service type", "controlPlane.service", {}, "spec.controlPlane.service.serviceType: Required value"],
  ["no Kubernetes", "kubernetes", undefined, "spec.kubernetes: Required value"],
  ["no version", "kubernetes.version", undefined, "spec.kubernetes.version: Required value"],
  ["no kubelet settings", "kubernetes.kubelet", undefined, "spec.kubernetes.kubelet: Required value"],
  [
    "ingress without a hostname",
    "controlPlane.ingress",
    { controllerType: "nginx" },
    "spec.controlPlane.ingress.hostname: Required value",
  ],
  ["port as text", "networkProfile.port", "6443", 'spec.networkProfile.port in body must be of type integer: "string"'],
  [
    "admission plug-ins as one text",
    "kubernetes.admissionControllers",
    "NodeRestriction,PodSecurity",
    'spec.kubernetes.admissionControllers in body must be of type array: "string"',
  ],
  [
    "a container that is not an object",
    "controlPlane.deployment.additionalContainers",
    ["busybox"],
    "spec.controlPlane.deployment.additionalContainers[0] in body must be of type object",
  ],
];

const bounds: readonly Row[] = [
  [
    "service type that does not exist",
    "controlPlane.service.serviceType",
    "ExternalName",
    'spec.controlPlane.service.serviceType: Unsupported value: "ExternalName": supported values: "ClusterIP", "NodePort", "LoadBalancer"',
  ],
  [
    "admission plug-in that does not exist",
    "kubernetes.admissionControllers",
    ["PodSecurity", "PodSafety"],
    'spec.kubernetes.admissionControllers[1]: Unsupported value: "PodSafety": supported values: "CertificateApproval"',
  ],
  [
    "kubelet address type that does not exist",
    "kubernetes.kubelet.preferredAddressTypes",
    ["PublicIP"],
    'spec.kubernetes.kubelet.preferredAddressTypes[0]: Unsupported value: "PublicIP": supported values: "Hostname"',
  ],
  [
    "no kubelet address type",
    "kubernetes.kubelet.preferredAddressTypes",
    [],
    "spec.kubernetes.kubelet.preferredAddressTypes in body should have at least 1 items",
  ],
  [
    "kubelet address type twice",
    "kubernetes.kubelet.preferredAddressTypes",
    ["Hostname", "Hostname"],
    'spec.kubernetes.kubelet.preferredAddressTypes[1]: Duplicate value: "Hostname"',
  ],
  [
    "JSON patch operation that does not exist",
    "kubernetes.kubelet.configurationJSONPatches",
    [{ op: "set", path: "/maxPods", value: 64 }],
    'spec.kubernetes.kubelet.configurationJSONPatches[0].op: Unsupported value: "set": supported values: "add"',
  ],
  [
    "port above 65535",
    "networkProfile.port",
    70000,
    "spec.networkProfile.port in body should be less than or equal to 65535",
  ],
  [
    "negative replicas",
    "controlPlane.deployment.replicas",
    -1,
    "spec.controlPlane.deployment.replicas in body should be greater than or equal to 0",
  ],
  [
    "probe period of 0",
    "controlPlane.deployment.probes",
    { startup: { periodSeconds: 0 } },
    "spec.controlPlane.deployment.probes.startup.periodSeconds in body should be greater than or equal to 1",
  ],
  [
    "trustd port of 0",
    "addons.workerBootstrap",
    { provider: "talos", talos: { port: 0 } },
    "spec.addons.workerBootstrap.talos.port in body should be greater than or equal to 1",
  ],
  [
    "bootstrap provider that does not exist",
    "addons.workerBootstrap",
    { provider: "flatcar" },
    'spec.addons.workerBootstrap.provider: Unsupported value: "flatcar": supported values: "talos"',
  ],
  [
    "key algorithm that does not exist",
    "certificates.algorithm",
    "DSA",
    'spec.certificates.algorithm: Unsupported value: "DSA": supported values: "ECDSA", "RSA"',
  ],
  [
    "load-balancer class that is empty",
    "networkProfile.loadBalancerClass",
    "",
    "spec.networkProfile.loadBalancerClass in body should be at least 1 chars long",
  ],
  [
    "resource with two overrides",
    "dataStoreOverrides",
    [
      { resource: "/events", dataStore: "events" },
      { resource: "/events", dataStore: "default" },
    ],
    'spec.dataStoreOverrides[1]: Duplicate value: {"resource":"/events"}',
  ],
  [
    "additional port name twice",
    "controlPlane.service.additionalPorts",
    [
      { name: "audit", port: 9000, targetPort: 9000 },
      { name: "audit", port: 9001, targetPort: "audit" },
    ],
    'spec.controlPlane.service.additionalPorts[1]: Duplicate value: {"name":"audit"}',
  ],
  [
    "topology spread without a skew",
    "controlPlane.deployment.topologySpreadConstraints",
    [{ topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }],
    "spec.controlPlane.deployment.topologySpreadConstraints[0].maxSkew: Required value",
  ],
];

const asRow = ([name, path, value, expect]: Row): BadManifest => ({
  name: `TenantControlPlane: ${name}`,
  manifest: changeSpec(controlPlane, path, value),
  expect,
});

const updates: readonly BadManifest[] = [
  ...["dataStore", "dataStoreSchema", "dataStoreUsername"].map((field) => ({
    name: `TenantControlPlane: ${field} is removed`,
    before: controlPlane,
    manifest: changeSpec(controlPlane, field, undefined),
    expect: `spec.${field}: Invalid value: ${field} cannot be removed once it is set`,
  })),
  ...["dataStoreSchema", "dataStoreUsername"].map((field) => ({
    name: `TenantControlPlane: ${field} changes`,
    before: controlPlane,
    manifest: changeSpec(controlPlane, field, "green"),
    expect: `spec.${field}: Invalid value: "green": ${field} is immutable`,
  })),
  {
    name: "TenantControlPlane: clusterDomain changes",
    before: controlPlane,
    manifest: changeSpec(controlPlane, "networkProfile.clusterDomain", "blue.local"),
    expect: 'spec.networkProfile.clusterDomain: Invalid value: "blue.local": clusterDomain is immutable',
  },
  {
    name: "TenantControlPlane: load-balancer class changes",
    before: controlPlane,
    manifest: changeSpec(controlPlane, "networkProfile.loadBalancerClass", "example.com/public"),
    expect:
      'spec.networkProfile.loadBalancerClass: Invalid value: "example.com/public": loadBalancerClass is immutable',
  },
  {
    name: "TenantControlPlane: load-balancer class is added later",
    before: withoutClass,
    manifest: controlPlane,
    expect:
      "spec.networkProfile.loadBalancerClass: Forbidden: cannot be added or removed while serviceType is LoadBalancer",
  },
  {
    name: "TenantControlPlane: load-balancer class is removed later",
    before: controlPlane,
    manifest: withoutClass,
    expect:
      "spec.networkProfile.loadBalancerClass: Forbidden: cannot be added or removed while serviceType is LoadBalancer",
  },
];

const exposure: readonly BadManifest[] = [
  {
    name: "TenantControlPlane: name that cannot be a Service",
    manifest: { ...controlPlane, metadata: { ...controlPlane.metadata, name: "1-blue" } },
    expect:
      "metadata.name is used as a Service name: it must consist of at most 63 lowercase letters, digits and '-', start with a letter",
  },
  {
    name: "TenantControlPlane: load-balancer class on a NodePort",
    manifest: changeSpec(onNodePort, "networkProfile.loadBalancerClass", "example.com/internal"),
    expect: "spec.networkProfile.loadBalancerClass: Forbidden: may only be set when serviceType is LoadBalancer",
  },
  {
    name: "TenantControlPlane: source ranges on a NodePort",
    manifest: changeSpec(onNodePort, "networkProfile.loadBalancerSourceRanges", ["203.0.113.0/24"]),
    expect: "spec.networkProfile.loadBalancerSourceRanges: Forbidden: may only be set when serviceType is LoadBalancer",
  },
];

/** Broken TenantControlPlanes: structure, bounds, and what may not change. */
export const badTenantControlPlanes: readonly BadManifest[] = [
  ...[...structure, ...bounds].map(asRow),
  ...exposure,
  ...updates,
];
