import { TenantCluster } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const tenantCluster = manifestOf(TenantCluster, "default/bad-tenant-cluster", {
  kubernetesVersion: "v1.30.2",
  workers: { replicas: 3, machineTemplate: { cpu: 4, memory: "16Gi", diskSize: "100Gi" } },
  networking: {
    podCIDR: "10.244.0.0/16",
    serviceCIDR: "10.96.0.0/12",
    loadBalancerPool: { start: "10.40.1.100", end: "10.40.1.150" },
  },
  addons: { cni: { provider: "cilium", version: "1.16.0" } },
  workspaces: { enabled: true, resourceQuota: { maxCPU: "16" } },
});

const nameRule =
  "metadata.name is used in namespace and Service names: it must consist of at most 54 lowercase letters, digits " +
  "and '-', start with a letter and contain no dots";

/** Broken TenantClusters. */
export const badTenantClusters: readonly BadManifest[] = [
  {
    name: "TenantCluster: name is longer than 54 characters",
    manifest: { ...tenantCluster, metadata: { name: "c".repeat(55), namespace: "default" } },
    expect: nameRule,
  },
  {
    name: "TenantCluster: name has a dot",
    manifest: { ...tenantCluster, metadata: { name: "shop.example", namespace: "default" } },
    expect: nameRule,
  },
  {
    name: "TenantCluster: unknown field in spec",
    manifest: changeSpec(tenantCluster, "foo", 1),
    expect: 'unknown field "spec.foo"',
  },
  {
    name: "TenantCluster: unknown field deep in spec",
    manifest: changeSpec(tenantCluster, "workers.machineTemplate.cores", 4),
    expect: 'unknown field "spec.workers.machineTemplate.cores"',
  },
  {
    name: "TenantCluster: name begins with a digit",
    manifest: { ...tenantCluster, metadata: { name: "1shop", namespace: "default" } },
    expect: nameRule,
  },
  {
    name: "TenantCluster: version has no leading v",
    manifest: changeSpec(tenantCluster, "kubernetesVersion", "1.30.2"),
    expect: 'spec.kubernetesVersion: Invalid value: "1.30.2": must be a version such as v1.30.2',
  },
  {
    name: "TenantCluster: version has two numbers",
    manifest: changeSpec(tenantCluster, "kubernetesVersion", "v1.30"),
    expect: 'spec.kubernetesVersion: Invalid value: "v1.30": must be a version such as v1.30.2',
  },
  {
    name: "TenantCluster: version is a number",
    manifest: changeSpec(tenantCluster, "kubernetesVersion", 1.3),
    expect: 'spec.kubernetesVersion: Invalid value: "number": spec.kubernetesVersion in body must be of type string',
  },
  {
    name: "TenantCluster: a pool has the reserved name of the main pool",
    manifest: changeSpec(tenantCluster, "workerPools", [{ name: "workers", replicas: 1 }]),
    expect:
      "must consist of lowercase letters, digits and '-', and must not be 'workers', which is reserved for the pool in spec.workers",
  },
  {
    name: "TenantCluster: two pools have one name",
    manifest: changeSpec(tenantCluster, "workerPools", [
      { name: "big", replicas: 1 },
      { name: "big", replicas: 2 },
    ]),
    expect: "spec.workerPools[1]: Duplicate value",
  },
  {
    name: "TenantCluster: number of workers of a pool is missing",
    manifest: changeSpec(tenantCluster, "workerPools", [{ name: "big" }]),
    expect: "spec.workerPools[0].replicas: Required value",
  },
  {
    name: "TenantCluster: taint has an effect that does not exist",
    manifest: changeSpec(tenantCluster, "workers.taints", [{ key: "gpu", effect: "Never" }]),
    expect: 'spec.workers.taints[0].effect: Unsupported value: "Never"',
  },
  {
    name: "TenantCluster: no workers",
    manifest: changeSpec(tenantCluster, "workers.replicas", 0),
    expect: "spec.workers.replicas in body should be greater than or equal to 1",
  },
  {
    name: "TenantCluster: number of workers is a text",
    manifest: changeSpec(tenantCluster, "workers.replicas", "3"),
    expect: "spec.workers.replicas in body must be of type integer",
  },
  {
    name: "TenantCluster: machines without a core",
    manifest: changeSpec(tenantCluster, "workers.machineTemplate.cpu", 0),
    expect: "spec.workers.machineTemplate.cpu in body should be greater than or equal to 1",
  },
  {
    name: "TenantCluster: memory with an unknown unit",
    manifest: changeSpec(tenantCluster, "workers.machineTemplate.memory", "16GB"),
    expect: 'spec.workers.machineTemplate.memory: Invalid value: "16GB": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "TenantCluster: memory is negative",
    manifest: changeSpec(tenantCluster, "workers.machineTemplate.memory", "-16Gi"),
    expect: 'spec.workers.machineTemplate.memory: Invalid value: "-16Gi": must not be negative',
  },
  {
    name: "TenantCluster: disk is a negative number",
    manifest: changeSpec(tenantCluster, "workers.machineTemplate.diskSize", -1),
    expect: "spec.workers.machineTemplate.diskSize: Invalid value: -1: must not be negative",
  },
  {
    name: "TenantCluster: operating system is unknown",
    manifest: changeSpec(tenantCluster, "workers.machineTemplate.os.type", "ubuntu"),
    expect: 'spec.workers.machineTemplate.os.type: Unsupported value: "ubuntu": supported values: "rocky", "flatcar"',
  },
  {
    name: "TenantCluster: control plane without a replica",
    manifest: changeSpec(tenantCluster, "controlPlane.replicas", 0),
    expect: "spec.controlPlane.replicas in body should be greater than or equal to 1",
  },
  {
    name: "TenantCluster: control plane of four replicas",
    manifest: changeSpec(tenantCluster, "controlPlane.replicas", 4),
    expect: "spec.controlPlane.replicas in body should be less than or equal to 3",
  },
  {
    name: "TenantCluster: Service type is a mode of exposure",
    manifest: changeSpec(tenantCluster, "controlPlane.serviceType", "Gateway"),
    expect: 'spec.controlPlane.serviceType: Unsupported value: "Gateway": supported values: "LoadBalancer", "NodePort"',
  },
  {
    name: "TenantCluster: control plane size is no quantity",
    manifest: changeSpec(tenantCluster, "controlPlane.resources.apiServer.requests.cpu", "half"),
    expect:
      'spec.controlPlane.resources.apiServer.requests.cpu: Invalid value: "half": must be a quantity such as 4, 500m',
  },
  {
    name: "TenantCluster: podCIDR has no prefix length",
    manifest: changeSpec(tenantCluster, "networking.podCIDR", "10.244.0.0"),
    expect: 'spec.networking.podCIDR: Invalid value: "10.244.0.0": must be a CIDR such as 10.244.0.0/16',
  },
  {
    name: "TenantCluster: serviceCIDR has a prefix length above 32",
    manifest: changeSpec(tenantCluster, "networking.serviceCIDR", "10.96.0.0/33"),
    expect: 'spec.networking.serviceCIDR: Invalid value: "10.96.0.0/33": must be a CIDR such as 10.96.0.0/12',
  },
  {
    name: "TenantCluster: serviceCIDR is within podCIDR",
    manifest: changeSpec(tenantCluster, "networking.serviceCIDR", "10.244.128.0/20"),
    expect: "spec.networking: Invalid value: podCIDR and serviceCIDR must not overlap",
  },
  {
    name: "TenantCluster: podCIDR is within the default serviceCIDR",
    manifest: changeSpec(tenantCluster, "networking", { podCIDR: "10.100.0.0/16" }),
    expect: "spec.networking: Invalid value: podCIDR and serviceCIDR must not overlap",
  },
  {
    name: "TenantCluster: load-balancer range begins with a name",
    manifest: changeSpec(tenantCluster, "networking.loadBalancerPool.start", "first"),
    expect: 'spec.networking.loadBalancerPool.start: Invalid value: "first": must be an IP address such as 10.40.1.100',
  },
  {
    name: "TenantCluster: load-balancer range ends in a network",
    manifest: changeSpec(tenantCluster, "networking.loadBalancerPool.end", "10.40.1.0/24"),
    expect:
      'spec.networking.loadBalancerPool.end: Invalid value: "10.40.1.0/24": must be an IP address such as 10.40.1.150',
  },
  {
    name: "TenantCluster: load-balancer range has no end",
    manifest: changeSpec(tenantCluster, "networking.loadBalancerPool.end", undefined),
    expect: "spec.networking.loadBalancerPool.end: Required value",
  },
  {
    name: "TenantCluster: load-balancer range mixes IPv4 and IPv6",
    manifest: changeSpec(tenantCluster, "networking.loadBalancerPool.end", "2001:db8::10"),
    expect:
      "spec.networking.loadBalancerPool: Invalid value: start and end must both be IPv4 or both be IPv6 addresses",
  },
  {
    name: "TenantCluster: load-balancer range ends before it starts",
    manifest: changeSpec(tenantCluster, "networking.loadBalancerPool.end", "10.40.1.99"),
    expect: "spec.networking.loadBalancerPool.end: Invalid value: must be greater than or equal to start",
  },
  {
    name: "TenantCluster: no load-balancer addresses",
    manifest: changeSpec(tenantCluster, "networking.lbPoolSize", 0),
    expect: "spec.networking.lbPoolSize in body should be greater than or equal to 1",
  },
  {
    name: "TenantCluster: management mode is in lower case",
    manifest: changeSpec(tenantCluster, "managementPolicy.mode", "active"),
    expect: 'spec.managementPolicy.mode: Unsupported value: "active": supported values: "Active", "Observe", "GitOps"',
  },
  {
    name: "TenantCluster: pod network without a version",
    manifest: changeSpec(tenantCluster, "addons.cni.version", undefined),
    expect: "spec.addons.cni.version: Required value",
  },
  {
    name: "TenantCluster: pod network of another product",
    manifest: changeSpec(tenantCluster, "addons.cni.provider", "calico"),
    expect: 'spec.addons.cni.provider: Unsupported value: "calico": supported values: "cilium"',
  },
  {
    name: "TenantCluster: add-on values are a text",
    manifest: changeSpec(tenantCluster, "addons.cni.values", "hubble: true"),
    expect: "spec.addons.cni.values in body must be of type object",
  },
  {
    name: "TenantCluster: GitOps under an unknown key",
    manifest: changeSpec(tenantCluster, "addons.gitOps", { provider: "fluxcd" }),
    expect: 'unknown field "spec.addons.gitOps"',
  },
  {
    name: "TenantCluster: GitOps repository is an option of Git",
    manifest: changeSpec(tenantCluster, "addons.gitops.repository", { url: "--upload-pack=/bin/true" }),
    expect: 'spec.addons.gitops.repository.url: Invalid value: "--upload-pack=/bin/true": must be a Git URL such as',
  },
  {
    name: "TenantCluster: GitOps branch has a blank",
    manifest: changeSpec(tenantCluster, "addons.gitops.repository", {
      url: "https://git.example.com/a",
      branch: "a b",
    }),
    expect: 'spec.addons.gitops.repository.branch: Invalid value: "a b": must be a branch name such as main',
  },
  {
    name: "TenantCluster: reference to the team has an empty name",
    manifest: changeSpec(tenantCluster, "teamRef", { name: "" }),
    expect: "spec.teamRef.name in body should be at least 1 chars long",
  },
  {
    name: "TenantCluster: quota of workspaces is no quantity",
    manifest: changeSpec(tenantCluster, "workspaces.resourceQuota.maxMemory", "32 GB"),
    expect:
      'spec.workspaces.resourceQuota.maxMemory: Invalid value: "32 GB": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "TenantCluster: autoDeleteAfter is given in days",
    manifest: changeSpec(tenantCluster, "workspaces.autoDeleteAfter", "30d"),
    expect: 'spec.workspaces.autoDeleteAfter: Invalid value: "30d": must be a duration such as 30s, 10m or 1h30m',
  },
  {
    name: "TenantCluster: negative number of workspaces",
    manifest: changeSpec(tenantCluster, "workspaces.maxWorkspaces", -1),
    expect: "spec.workspaces.maxWorkspaces in body should be greater than or equal to 0",
  },
];
