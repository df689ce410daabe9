import { StewardControlPlane, StewardControlPlaneTemplate } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const controlPlane = manifestOf(StewardControlPlane, "default/bad-cluster", {
  version: "v1.36.3",
  dataStoreSchema: "blue",
  dataStoreUsername: "blue",
  network: {},
});
const withClass = changeSpec(controlPlane, "network.loadBalancerConfig", { loadBalancerClass: "example.com/internal" });
const template = manifestOf(StewardControlPlaneTemplate, "default/bad-template", {
  template: { spec: { dataStoreName: "default" } },
});

const classMayNotMove =
  "spec.network.loadBalancerConfig.loadBalancerClass: Forbidden: cannot be added or removed while serviceType is LoadBalancer";

/** Broken StewardControlPlanes and templates of them. */
export const badClusterControlPlanes: readonly BadManifest[] = [
  {
    name: "StewardControlPlane: no version",
    manifest: changeSpec(controlPlane, "version", undefined),
    expect: "spec.version: Required value",
  },
  {
    name: "StewardControlPlane: version that is a channel",
    manifest: changeSpec(controlPlane, "version", "stable"),
    expect: 'spec.version: Invalid value: "stable": must be a full version such as v1.36.3',
  },
  {
    name: "StewardControlPlane: name that cannot be a Service",
    manifest: { ...controlPlane, metadata: { name: "blue.eu", namespace: "default" } },
    expect:
      "metadata.name is used as a Service name: it must consist of at most 63 lowercase letters, digits and '-', start with a letter",
  },
  {
    name: "StewardControlPlane: replicas as text",
    manifest: changeSpec(controlPlane, "replicas", "2"),
    expect: 'spec.replicas in body must be of type integer: "string"',
  },
  {
    name: "StewardControlPlane: endpoint port above 65535",
    manifest: changeSpec(controlPlane, "controlPlaneEndpoint", { host: "10.40.1.100", port: 65536 }),
    expect: "spec.controlPlaneEndpoint.port in body should be less than or equal to 65535",
  },
  {
    name: "StewardControlPlane: image name that is empty",
    manifest: changeSpec(controlPlane, "apiServer", { containerImageName: "" }),
    expect: "spec.apiServer.containerImageName in body should be at least 1 chars long",
  },
  {
    name: "StewardControlPlane: ingress without a hostname",
    manifest: changeSpec(controlPlane, "network.ingress", { className: "nginx" }),
    expect: "spec.network.ingress.hostname: Required value",
  },
  {
    name: "StewardControlPlane: ingress controller that does not exist",
    manifest: changeSpec(controlPlane, "network.ingress", { hostname: "blue.example.com", controllerType: "envoy" }),
    expect:
      'spec.network.ingress.controllerType: Unsupported value: "envoy": supported values: "haproxy", "nginx", "traefik", "generic"',
  },
  {
    name: "StewardControlPlane: ingress and gateway at once",
    manifest: changeSpec(controlPlane, "network", {
      ingress: { hostname: "blue.example.com" },
      gateway: { hostname: "blue.example.com" },
    }),
    expect: "spec.network: Invalid value: ingress and gateway are mutually exclusive; set one of them",
  },
  {
    name: "StewardControlPlane: certificate name with a port",
    manifest: changeSpec(controlPlane, "network.certSANs", ["blue.example.com:443"]),
    expect: 'spec.network.certSANs[0]: Invalid value: "blue.example.com:443": must be an IP address or a DNS name',
  },
  {
    name: "StewardControlPlane: DNS address of the add-on that is a name",
    manifest: changeSpec(controlPlane, "addons", { coreDNS: { dnsServiceIPs: ["kube-dns"] } }),
    expect: 'spec.addons.coreDNS.dnsServiceIPs[0]: Invalid value: "kube-dns": must be an IP address such as 10.96.0.10',
  },
  {
    name: "StewardControlPlane: load-balancer class on a ClusterIP",
    manifest: changeSpec(withClass, "network.serviceType", "ClusterIP"),
    expect:
      "spec.network.loadBalancerConfig.loadBalancerClass: Forbidden: may only be set when serviceType is LoadBalancer",
  },
  {
    name: "StewardControlPlane: source ranges on a ClusterIP",
    manifest: changeSpec(controlPlane, "network", {
      serviceType: "ClusterIP",
      loadBalancerConfig: { loadBalancerSourceRanges: ["203.0.113.0/24"] },
    }),
    expect:
      "spec.network.loadBalancerConfig.loadBalancerSourceRanges: Forbidden: may only be set when serviceType is LoadBalancer",
  },
  {
    name: "StewardControlPlane: load-balancer class is added later",
    before: controlPlane,
    manifest: withClass,
    expect: classMayNotMove,
  },
  {
    name: "StewardControlPlane: load-balancer class is removed later",
    before: withClass,
    manifest: controlPlane,
    expect: classMayNotMove,
  },
  {
    name: "StewardControlPlane: load-balancer class changes",
    before: withClass,
    manifest: changeSpec(withClass, "network.loadBalancerConfig.loadBalancerClass", "example.com/public"),
    expect:
      'spec.network.loadBalancerConfig.loadBalancerClass: Invalid value: "example.com/public": loadBalancerClass is immutable',
  },
  {
    name: "StewardControlPlane: store schema changes",
    before: controlPlane,
    manifest: changeSpec(controlPlane, "dataStoreSchema", "green"),
    expect: 'spec.dataStoreSchema: Invalid value: "green": dataStoreSchema is immutable',
  },
  {
    name: "StewardControlPlane: store user is removed",
    before: controlPlane,
    manifest: changeSpec(controlPlane, "dataStoreUsername", undefined),
    expect: "spec.dataStoreUsername: Invalid value: dataStoreUsername cannot be removed once it is set",
  },
  {
    name: "StewardControlPlane: other cluster without a namespace",
    manifest: changeSpec(controlPlane, "deployment.externalClusterReference", {
      kubeconfigSecretName: "other",
      kubeconfigSecretKey: "value",
    }),
    expect: "spec.deployment.externalClusterReference.deploymentNamespace: Required value",
  },
  {
    name: "StewardControlPlane: toleration effect that does not exist",
    manifest: changeSpec(controlPlane, "deployment.tolerations", [{ operator: "Exists", effect: "Never" }]),
    expect:
      'spec.deployment.tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  },
  {
    name: "StewardControlPlane: unknown field",
    manifest: changeSpec(controlPlane, "dataStore", "default"),
    expect: 'unknown field "spec.dataStore"',
  },
  {
    name: "StewardControlPlaneTemplate: no template",
    manifest: changeSpec(template, "template", undefined),
    expect: "spec.template: Required value",
  },
  {
    name: "StewardControlPlaneTemplate: version, which comes from the Cluster",
    manifest: changeSpec(template, "template.spec.version", "v1.36.3"),
    expect: 'unknown field "spec.template.spec.version"',
  },
  {
    name: "StewardControlPlaneTemplate: store schema with a slash",
    manifest: changeSpec(template, "template.spec.dataStoreSchema", "blue/green"),
    expect:
      "spec.template.spec.dataStoreSchema: Invalid value: \"blue/green\": must consist of 1 to 63 letters, digits, '_' or '-'",
  },
  {
    name: "StewardControlPlaneTemplate: agents in a DaemonSet by number",
    manifest: changeSpec(template, "template.spec.addons.konnectivity.agent", { replicas: 3 }),
    expect:
      "spec.template.spec.addons.konnectivity.agent.replicas: Invalid value: must be 0 or unset when mode is DaemonSet",
  },
];
