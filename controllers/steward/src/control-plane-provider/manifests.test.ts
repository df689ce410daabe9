import { TenantControlPlane, type StewardControlPlane } from "@butler/api";
import type { Cluster } from "@butler/api-external";
import { type InputOf, parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { buildAuthoritySecret, buildKubeconfigSecret, buildTenantControlPlane } from "./manifests.ts";
import { tenantNetwork, unusedRanges } from "./tenant-network.ts";
import { aCluster, aControlPlane, base64 } from "./testing/objects.ts";

type Spec = Partial<InputOf<typeof StewardControlPlane>["spec"]>;
type ClusterNetwork = NonNullable<Cluster["spec"]>["clusterNetwork"];

/** The TenantControlPlane as the API server would store it. */
function tenantOf(spec: Spec = {}, clusterNetwork?: ClusterNetwork, metadata = {}): TenantControlPlane {
  const controlPlane = aControlPlane({ spec, ...metadata });
  const network = tenantNetwork(controlPlane, aCluster({ spec: { clusterNetwork } }));
  if ("reason" in network) throw new Error(network.message);
  return parseObject(TenantControlPlane, buildTenantControlPlane({ controlPlane, clusterName: "blue", network }));
}

/** Settings that have the same names in both kinds. */
const placement = {
  nodeSelector: { pool: "control" },
  tolerations: [{ operator: "Exists" }],
  affinity: { nodeAffinity: {} },
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }],
  runtimeClassName: "kata",
  priorityClassName: "high",
  probes: { startup: { failureThreshold: 90 } },
  serviceAccountName: "steward",
  strategy: { type: "Recreate" },
  additionalMetadata: { labels: { a: "1" } },
  podAdditionalMetadata: { annotations: { b: "2" } },
} satisfies Spec["deployment"];

describe("the TenantControlPlane of a control plane", () => {
  it("has the defaults of both kinds when nothing is set", () => {
    const { metadata, spec } = tenantOf();
    expect(metadata).toEqual({
      name: "blue",
      namespace: "default",
      labels: { "cluster.x-k8s.io/cluster-name": "blue" },
    });
    expect(spec.kubernetes.version).toBe("v1.36.3");
    expect(spec.controlPlane.service.serviceType).toBe("LoadBalancer");
    expect(spec.controlPlane.deployment.replicas).toBe(2);
    expect(spec.controlPlane.deployment.strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: 0, maxSurge: "100%" },
    });
    expect(spec.networkProfile).toMatchObject({
      port: 6443,
      serviceCidr: "10.96.0.0/16",
      podCidr: "10.244.0.0/16",
      clusterDomain: "cluster.local",
      dnsServiceIPs: ["10.96.0.10"],
    });
    expect(spec.addons).toEqual({});
  });

  it("is deterministic", () => {
    expect(tenantOf({ addons: { coreDNS: {} } })).toEqual(tenantOf({ addons: { coreDNS: {} } }));
  });

  const mapped: readonly [string, Spec, object][] = [
    ["a version without its v", { version: "1.35.4" }, { kubernetes: { version: "v1.35.4" } }],
    ["replicas", { replicas: 0 }, { controlPlane: { deployment: { replicas: 0 } } }],
    [
      "the store",
      { dataStoreName: "gold", dataStoreSchema: "s", dataStoreUsername: "u" },
      { dataStore: "gold", dataStoreSchema: "s", dataStoreUsername: "u" },
    ],
    [
      "images",
      {
        registry: "registry.example.com",
        apiServer: { containerImageName: "api" },
        controllerManager: { containerImageName: "manager" },
        scheduler: { containerImageName: "scheduler" },
      },
      {
        controlPlane: {
          deployment: {
            registrySettings: {
              registry: "registry.example.com",
              apiServerImage: "api",
              controllerManagerImage: "manager",
              schedulerImage: "scheduler",
            },
          },
        },
      },
    ],
    [
      "settings of the components",
      {
        apiServer: {
          extraArgs: ["--v=2"],
          resources: { requests: { cpu: "1" } },
          extraVolumeMounts: [{ name: "audit", mountPath: "/audit" }],
        },
        controllerManager: { extraArgs: ["--v=3"] },
        scheduler: { extraArgs: ["--v=4"], resources: { limits: { memory: "1Gi" } } },
        kine: { extraArgs: ["--debug"], resources: { requests: { cpu: "2" } } },
      },
      {
        controlPlane: {
          deployment: {
            extraArgs: {
              apiServer: ["--v=2"],
              controllerManager: ["--v=3"],
              scheduler: ["--v=4"],
              kine: ["--debug"],
            },
            resources: {
              apiServer: { requests: { cpu: "1" } },
              scheduler: { limits: { memory: "1Gi" } },
              kine: { requests: { cpu: "2" } },
            },
            additionalVolumeMounts: { apiServer: [{ name: "audit", mountPath: "/audit" }] },
          },
        },
      },
    ],
    [
      "the placement of the pods",
      {
        deployment: {
          ...placement,
          extraInitContainers: [{ name: "first" }],
          extraContainers: [{ name: "beside" }],
          extraVolumes: [{ name: "audit" }],
        },
      },
      {
        controlPlane: {
          deployment: {
            ...placement,
            additionalInitContainers: [{ name: "first" }],
            additionalContainers: [{ name: "beside" }],
            additionalVolumes: [{ name: "audit" }],
          },
        },
      },
    ],
    [
      "the Service",
      {
        network: {
          serviceType: "LoadBalancer",
          serviceAddress: "203.0.113.7",
          serviceLabels: { a: "1" },
          serviceAnnotations: { b: "2" },
          loadBalancerConfig: { loadBalancerClass: "metal", loadBalancerSourceRanges: ["192.0.2.0/24"] },
        },
      },
      {
        controlPlane: {
          service: {
            serviceType: "LoadBalancer",
            additionalMetadata: { labels: { a: "1" }, annotations: { b: "2" } },
          },
        },
        networkProfile: {
          address: "203.0.113.7",
          loadBalancerClass: "metal",
          loadBalancerSourceRanges: ["192.0.2.0/24"],
        },
      },
    ],
    [
      "an ingress, with its host in the certificate",
      {
        network: {
          serviceType: "ClusterIP",
          certSANs: ["blue.example.com", "10.0.0.1"],
          ingress: {
            className: "nginx",
            hostname: "blue.k8s.example.com:8443",
            controllerType: "nginx",
            extraLabels: { a: "1" },
            extraAnnotations: { b: "2" },
          },
        },
      },
      {
        controlPlane: {
          ingress: {
            ingressClassName: "nginx",
            hostname: "blue.k8s.example.com:8443",
            controllerType: "nginx",
            additionalMetadata: { labels: { a: "1" }, annotations: { b: "2" } },
          },
        },
        networkProfile: { certSANs: ["blue.example.com", "10.0.0.1", "blue.k8s.example.com"] },
      },
    ],
    [
      "a gateway, with its host in the certificate once",
      {
        network: {
          serviceType: "ClusterIP",
          certSANs: ["blue.example.com"],
          gateway: {
            hostname: "blue.example.com",
            parentRefs: [{ name: "edge", namespace: "gateways" }],
            extraLabels: { a: "1" },
          },
        },
      },
      {
        controlPlane: {
          gateway: {
            hostname: "blue.example.com",
            parentRefs: [{ name: "edge", namespace: "gateways" }],
            additionalMetadata: { labels: { a: "1" } },
          },
        },
        networkProfile: { certSANs: ["blue.example.com"] },
      },
    ],
    [
      "add-ons, and the DNS addresses of the add-on before those of the network",
      {
        addons: { coreDNS: { imageTag: "v1.12.0", dnsServiceIPs: ["10.96.0.53"] }, kubeProxy: {} },
        network: { dnsServiceIPs: ["10.96.0.54"] },
      },
      {
        addons: { coreDNS: { imageTag: "v1.12.0" }, kubeProxy: {} },
        networkProfile: { dnsServiceIPs: ["10.96.0.53"] },
      },
    ],
    [
      "DNS addresses of the network",
      { addons: { coreDNS: { dnsServiceIPs: [] } }, network: { dnsServiceIPs: ["10.96.0.54"] } },
      { networkProfile: { dnsServiceIPs: ["10.96.0.54"] } },
    ],
    [
      "kubelets, admission plug-ins and certificates",
      {
        kubelet: { preferredAddressTypes: ["Hostname"], cgroupfs: "cgroupfs" },
        admissionControllers: ["NodeRestriction"],
        certificates: { algorithm: "RSA", lifetime: "24h" },
      },
      {
        kubernetes: {
          kubelet: { preferredAddressTypes: ["Hostname"], cgroupfs: "cgroupfs" },
          admissionControllers: ["NodeRestriction"],
        },
        certificates: { algorithm: "RSA", lifetime: "24h" },
      },
    ],
  ];

  it.each(mapped)("takes over %s", (_what, spec, expected) => {
    expect(tenantOf(spec).spec).toMatchObject(expected);
  });

  it("sets the DNS addresses only where the tenant reads them", () => {
    const { addons } = tenantOf({ addons: { coreDNS: { dnsServiceIPs: ["10.96.0.53"] } } }).spec;
    expect(addons.coreDNS).toEqual({});
  });

  it.each<[string, ClusterNetwork, object]>([
    ["a port above 32767", { apiServerPort: 64443 }, { port: 64443 }],
    [
      "CIDRs and domain",
      {
        services: { cidrBlocks: ["10.97.0.0/16"] },
        pods: { cidrBlocks: ["10.245.0.0/16"] },
        serviceDomain: "blue.test",
      },
      {
        serviceCidr: "10.97.0.0/16",
        podCidr: "10.245.0.0/16",
        clusterDomain: "blue.test",
        dnsServiceIPs: ["10.97.0.10"],
      },
    ],
    [
      "the first CIDR of each kind",
      {
        services: { cidrBlocks: ["fd00:97::/112", "10.97.0.0/16"] },
        pods: { cidrBlocks: ["fd00:98::/64", "10.98.0.0/16"] },
      },
      { serviceCidr: "fd00:97::/112", podCidr: "fd00:98::/64", dnsServiceIPs: ["fd00:97::10"] },
    ],
    [
      "nothing from empty values",
      { apiServerPort: 0, services: { cidrBlocks: [] }, serviceDomain: "" },
      { port: 6443, serviceCidr: "10.96.0.0/16", clusterDomain: "cluster.local" },
    ],
  ])("takes %s from the Cluster", (_what, clusterNetwork, expected) => {
    expect(tenantOf({}, clusterNetwork).spec.networkProfile).toMatchObject(expected);
  });

  it("propagates labels and annotations, except tracking marks of other tools", () => {
    const { metadata } = tenantOf({}, undefined, {
      labels: { team: "red", "cluster.x-k8s.io/cluster-name": "blue", "app.kubernetes.io/instance": "apps" },
      annotations: {
        "steward.butlerlabs.dev/kubeconfig-secret-key": "super-admin.svc",
        "kubectl.kubernetes.io/last-applied-configuration": "{}",
        "argocd.argoproj.io/tracking-id": "apps:blue",
        "cluster.x-k8s.io/paused": "",
      },
    });
    expect(metadata.labels).toEqual({ team: "red", "cluster.x-k8s.io/cluster-name": "blue" });
    expect(metadata.annotations).toEqual({ "steward.butlerlabs.dev/kubeconfig-secret-key": "super-admin.svc" });
  });
});

describe("the network of a tenant", () => {
  it.each(["192.168.1.0/29", "not a range"])("cannot be derived from the Service range %s", (range) => {
    const cluster = aCluster({ spec: { clusterNetwork: { services: { cidrBlocks: [range] } } } });
    expect(tenantNetwork(aControlPlane(), cluster)).toMatchObject({ reason: "ServiceRangeUnusable" });
    const asked = aControlPlane({ spec: { network: { dnsServiceIPs: ["192.168.1.3"] } } });
    expect(tenantNetwork(asked, cluster)).toMatchObject({ dnsServiceIPs: ["192.168.1.3"] });
  });

  it("ignores a second range of each kind", () => {
    const services = { cidrBlocks: ["10.96.0.0/16", "fd00::/112"] };
    const pods = { cidrBlocks: ["10.244.0.0/16", "fd01::/64"] };
    expect(unusedRanges(aCluster({ spec: { clusterNetwork: { services, pods } } }))).toEqual([
      "fd00::/112",
      "fd01::/64",
    ]);
    expect(unusedRanges(aCluster())).toEqual([]);
  });
});

describe("the Secrets for Cluster API", () => {
  const common = { controlPlane: aControlPlane({ name: "green" }), clusterName: "blue" };
  const labels = {
    "cluster.x-k8s.io/cluster-name": "blue",
    "steward.butlerlabs.dev/project": "steward",
    "steward.butlerlabs.dev/name": "green",
    "steward.butlerlabs.dev/component": "cluster-api",
  };

  it("hold the kubeconfig as it is", () => {
    expect(buildKubeconfigSecret({ ...common, kubeconfig: base64("kubeconfig") })).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "blue-kubeconfig", namespace: "default", labels },
      type: "cluster.x-k8s.io/secret",
      data: { value: base64("kubeconfig") },
    });
  });

  it("hold the CA certificate and a placeholder for its key", () => {
    const secret = buildAuthoritySecret({ ...common, certificate: base64("certificate") });
    expect(secret).toMatchObject({
      metadata: { name: "blue-ca", namespace: "default", labels },
      type: "cluster.x-k8s.io/secret",
      data: { "tls.crt": base64("certificate") },
    });
    const { data } = secret as unknown as { data: Record<string, string> };
    expect(Buffer.from(data["tls.key"] ?? "", "base64").toString()).toMatch(/^The CA key stays/);
  });
});
