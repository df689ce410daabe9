import { NetworkPool, ProviderConfig } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const networkPool = manifestOf(NetworkPool, "butler-system/bad-network-pool", {
  cidr: "10.40.0.0/16",
  reserved: [{ cidr: "10.40.0.0/24" }],
  tenantAllocation: {
    start: "10.40.1.0",
    end: "10.40.15.255",
    ranges: [{ start: "10.40.1.0", end: "10.40.1.255" }],
  },
});

const providerConfig = manifestOf(ProviderConfig, "butler-system/bad-provider-config", {
  provider: "harvester",
  credentialsRef: { name: "harvester-kubeconfig" },
  harvester: { networkName: "default/vlan40" },
  network: { mode: "ipam", poolRefs: [{ name: "datacenter" }] },
});

const withBlock = (provider: string, block: Record<string, unknown>) => ({
  ...providerConfig,
  spec: { provider, credentialsRef: { name: "credentials" }, [provider]: block },
});

const nutanix = withBlock("nutanix", { endpoint: "https://prism.example.com", clusterUUID: "c", subnetUUID: "s" });
const proxmox = withBlock("proxmox", { endpoint: "https://pve.example.com:8006", nodes: ["pve1"], storage: "local" });
const azure = withBlock("azure", { subscriptionID: "sub", resourceGroup: "butler" });
const aws = withBlock("aws", { region: "eu-central-1" });
const gcp = withBlock("gcp", { projectID: "butler", region: "europe-west3" });

const cloudOnly = "must be cloud for azure, aws and gcp, because these providers assign addresses themselves";

const badNetworkPools: readonly BadManifest[] = [
  {
    name: "NetworkPool: network is missing",
    manifest: changeSpec(networkPool, "cidr", undefined),
    expect: "spec.cidr: Required value",
  },
  {
    name: "NetworkPool: network has no prefix length",
    manifest: changeSpec(networkPool, "cidr", "10.40.0.0"),
    expect: 'spec.cidr: Invalid value: "10.40.0.0": must be a CIDR such as 10.40.0.0/16',
  },
  {
    name: "NetworkPool: network has a number above 255",
    manifest: changeSpec(networkPool, "cidr", "10.400.0.0/16"),
    expect: 'spec.cidr: Invalid value: "10.400.0.0/16": must be a CIDR such as 10.40.0.0/16',
  },
  {
    name: "NetworkPool: reserved part is no CIDR",
    manifest: changeSpec(networkPool, "reserved.0.cidr", "10.40.0.1-10.40.0.9"),
    expect: 'spec.reserved[0].cidr: Invalid value: "10.40.0.1-10.40.0.9": must be a CIDR such as 10.40.0.0/28',
  },
  {
    name: "NetworkPool: reserved part is outside the network",
    manifest: changeSpec(networkPool, "reserved.0.cidr", "10.41.0.0/24"),
    expect: "spec.reserved: Invalid value: every reserved CIDR must be within spec.cidr",
  },
  {
    name: "NetworkPool: reserved part is larger than the network",
    manifest: changeSpec(networkPool, "reserved.0.cidr", "10.0.0.0/8"),
    expect: "spec.reserved: Invalid value: every reserved CIDR must be within spec.cidr",
  },
  {
    name: "NetworkPool: first address is a network",
    manifest: changeSpec(networkPool, "tenantAllocation.start", "10.40.1.0/24"),
    expect: 'spec.tenantAllocation.start: Invalid value: "10.40.1.0/24": must be an IP address such as 10.40.1.100',
  },
  {
    name: "NetworkPool: first address is outside the network",
    manifest: changeSpec(networkPool, "tenantAllocation.start", "10.39.0.1"),
    expect: "spec.tenantAllocation.start: Invalid value: must be an address within spec.cidr",
  },
  {
    name: "NetworkPool: last address is outside the network",
    manifest: changeSpec(networkPool, "tenantAllocation.end", "10.41.0.1"),
    expect: "spec.tenantAllocation.end: Invalid value: must be an address within spec.cidr",
  },
  {
    name: "NetworkPool: first address without a last one",
    manifest: changeSpec(networkPool, "tenantAllocation.end", undefined),
    expect: "spec.tenantAllocation: Invalid value: start and end must be set together",
  },
  {
    name: "NetworkPool: last address comes before the first",
    manifest: changeSpec(networkPool, "tenantAllocation.end", "10.40.0.255"),
    expect: "spec.tenantAllocation.end: Invalid value: must be greater than or equal to start",
  },
  {
    name: "NetworkPool: addresses of different families",
    manifest: changeSpec(networkPool, "tenantAllocation.end", "2001:db8::1"),
    expect: "spec.tenantAllocation: Invalid value: start and end must both be IPv4 or both be IPv6 addresses",
  },
  {
    name: "NetworkPool: a range is outside the network",
    manifest: changeSpec(networkPool, "tenantAllocation.ranges.0.end", "10.41.0.1"),
    expect:
      "spec.tenantAllocation.ranges: Invalid value: start and end of every range must be addresses within spec.cidr",
  },
  {
    name: "NetworkPool: a range ends before it starts",
    manifest: changeSpec(networkPool, "tenantAllocation.ranges.0", { start: "10.40.2.9", end: "10.40.2.1" }),
    expect: "spec.tenantAllocation.ranges[0].end: Invalid value: must be greater than or equal to start",
  },
  {
    name: "NetworkPool: a range ends in a name",
    manifest: changeSpec(networkPool, "tenantAllocation.ranges.0.end", "last"),
    expect: 'spec.tenantAllocation.ranges[0].end: Invalid value: "last": must be an IP address such as 10.40.1.150',
  },
  {
    name: "NetworkPool: more than sixteen ranges",
    manifest: changeSpec(
      networkPool,
      "tenantAllocation.ranges",
      Array.from({ length: 17 }, (_, at) => ({ start: `10.40.${at + 1}.1`, end: `10.40.${at + 1}.9` })),
    ),
    expect: "spec.tenantAllocation.ranges: Too many: 17: must have at most 16 items",
  },
  {
    name: "NetworkPool: tenants get no node address",
    manifest: changeSpec(networkPool, "tenantAllocation.defaults.nodesPerTenant", 0),
    expect: "spec.tenantAllocation.defaults.nodesPerTenant in body should be greater than or equal to 1",
  },
  {
    name: "NetworkPool: quarantine is given in days",
    manifest: changeSpec(networkPool, "quarantine", "2d"),
    expect:
      'spec.quarantine: Invalid value: "2d": must be a duration such as 30s, 10m or 1h30m (the largest unit is h)',
  },
  {
    name: "NetworkPool: unknown field",
    manifest: changeSpec(networkPool, "gateway", "10.40.0.1"),
    expect: 'unknown field "spec.gateway"',
  },
];

const badProviderConfigs: readonly BadManifest[] = [
  {
    name: "ProviderConfig: provider is missing",
    manifest: changeSpec(providerConfig, "provider", undefined),
    expect: "spec.provider: Required value",
  },
  {
    name: "ProviderConfig: provider is unknown",
    manifest: changeSpec(providerConfig, "provider", "openstack"),
    expect: 'spec.provider: Unsupported value: "openstack": supported values: "harvester", "nutanix", "proxmox"',
  },
  {
    name: "ProviderConfig: credentials are missing",
    manifest: changeSpec(providerConfig, "credentialsRef", undefined),
    expect: "spec.credentialsRef: Required value: all providers except local require a credentials Secret",
  },
  {
    name: "ProviderConfig: harvester without its block",
    manifest: changeSpec(providerConfig, "harvester", undefined),
    expect: "spec.harvester: Required value: provider harvester requires spec.harvester",
  },
  {
    name: "ProviderConfig: nutanix without its block",
    manifest: changeSpec(nutanix, "nutanix", undefined),
    expect: "spec.nutanix: Required value: provider nutanix requires spec.nutanix",
  },
  {
    name: "ProviderConfig: proxmox without its block",
    manifest: changeSpec(proxmox, "proxmox", undefined),
    expect: "spec.proxmox: Required value: provider proxmox requires spec.proxmox",
  },
  {
    name: "ProviderConfig: azure without its block",
    manifest: changeSpec(azure, "azure", undefined),
    expect: "spec.azure: Required value: provider azure requires spec.azure",
  },
  {
    name: "ProviderConfig: aws without its block",
    manifest: changeSpec(aws, "aws", undefined),
    expect: "spec.aws: Required value: provider aws requires spec.aws",
  },
  {
    name: "ProviderConfig: gcp without its block",
    manifest: changeSpec(gcp, "gcp", undefined),
    expect: "spec.gcp: Required value: provider gcp requires spec.gcp",
  },
  {
    name: "ProviderConfig: VM network without a namespace",
    manifest: changeSpec(providerConfig, "harvester.networkName", "vlan40"),
    expect: 'spec.harvester.networkName: Invalid value: "vlan40": must be namespace/name of a VM network',
  },
  {
    name: "ProviderConfig: endpoint without https",
    manifest: changeSpec(nutanix, "nutanix.endpoint", "prism.example.com"),
    expect: 'spec.nutanix.endpoint: Invalid value: "prism.example.com": must be an http or https URL such as https://',
  },
  {
    name: "ProviderConfig: endpoint of another protocol",
    manifest: changeSpec(proxmox, "proxmox.endpoint", "ssh://pve.example.com"),
    expect:
      'spec.proxmox.endpoint: Invalid value: "ssh://pve.example.com": must be an http or https URL such as https://',
  },
  {
    name: "ProviderConfig: port above 65535",
    manifest: changeSpec(nutanix, "nutanix.port", 94400),
    expect: "spec.nutanix.port in body should be less than or equal to 65535",
  },
  {
    name: "ProviderConfig: proxmox without a host",
    manifest: changeSpec(proxmox, "proxmox.nodes", []),
    expect: "spec.proxmox.nodes in body should have at least 1 items",
  },
  {
    name: "ProviderConfig: range of IDs ends before it starts",
    manifest: changeSpec(proxmox, "proxmox.vmidRange", { start: 900, end: 800 }),
    expect: "spec.proxmox.vmidRange: Invalid value: start must not be greater than end",
  },
  {
    name: "ProviderConfig: ids below 100",
    manifest: changeSpec(proxmox, "proxmox.vmidRange", { start: 1, end: 800 }),
    expect: "spec.proxmox.vmidRange.start in body should be greater than or equal to 100",
  },
  {
    name: "ProviderConfig: azure subscription is empty",
    manifest: changeSpec(azure, "azure.subscriptionID", ""),
    expect: "spec.azure.subscriptionID in body should be at least 1 chars long",
  },
  {
    name: "ProviderConfig: aws region is missing",
    manifest: changeSpec(aws, "aws", {}),
    expect: "spec.aws.region: Required value",
  },
  {
    name: "ProviderConfig: team scope without a team",
    manifest: changeSpec(providerConfig, "scope", { type: "team" }),
    expect: "spec.scope.teamRef: Required value: teamRef is required when type is team",
  },
  {
    name: "ProviderConfig: scope is unknown",
    manifest: changeSpec(providerConfig, "scope.type", "environment"),
    expect: 'spec.scope.type: Unsupported value: "environment": supported values: "platform", "team"',
  },
  {
    name: "ProviderConfig: address management without a pool",
    manifest: changeSpec(providerConfig, "network.poolRefs", []),
    expect: "spec.network.poolRefs: Required value: mode ipam requires at least one NetworkPool",
  },
  {
    name: "ProviderConfig: address management on azure",
    manifest: changeSpec(azure, "network", { mode: "ipam", poolRefs: [{ name: "datacenter" }] }),
    expect: `spec.network.mode: Invalid value: ${cloudOnly}`,
  },
  {
    name: "ProviderConfig: address management on aws",
    manifest: changeSpec(aws, "network", { mode: "ipam", poolRefs: [{ name: "datacenter" }] }),
    expect: `spec.network.mode: Invalid value: ${cloudOnly}`,
  },
  {
    name: "ProviderConfig: address management on gcp",
    manifest: changeSpec(gcp, "network", { mode: "ipam", poolRefs: [{ name: "datacenter" }] }),
    expect: `spec.network.mode: Invalid value: ${cloudOnly}`,
  },
  {
    name: "ProviderConfig: pool without a name",
    manifest: changeSpec(providerConfig, "network.poolRefs.0.name", ""),
    expect: "spec.network.poolRefs[0].name in body should be at least 1 chars long",
  },
  {
    name: "ProviderConfig: gateway is a network",
    manifest: changeSpec(providerConfig, "network.gateway", "10.40.0.0/16"),
    expect: 'spec.network.gateway: Invalid value: "10.40.0.0/16": must be an IP address such as 10.40.0.1',
  },
  {
    name: "ProviderConfig: name server is a name",
    manifest: changeSpec(providerConfig, "network.dnsServers", ["10.40.0.2", "dns.example.com"]),
    expect: 'spec.network.dnsServers[1]: Invalid value: "dns.example.com": must be an IP address such as 10.40.0.2',
  },
  {
    name: "ProviderConfig: allocation mode is unknown",
    manifest: changeSpec(providerConfig, "network.loadBalancer.allocationMode", "dynamic"),
    expect:
      'spec.network.loadBalancer.allocationMode: Unsupported value: "dynamic": supported values: "static", "elastic"',
  },
  {
    name: "ProviderConfig: shrinkAfter is not a duration",
    manifest: changeSpec(providerConfig, "network.loadBalancer.shrinkAfter", "10 minutes"),
    expect: 'spec.network.loadBalancer.shrinkAfter: Invalid value: "10 minutes": must be a duration such as 30s, 10m',
  },
  {
    name: "ProviderConfig: limit of no clusters",
    manifest: changeSpec(providerConfig, "limits.maxClustersPerTeam", 0),
    expect: "spec.limits.maxClustersPerTeam in body should be greater than or equal to 1",
  },
];

/** Broken NetworkPools and ProviderConfigs. */
export const badInfrastructure: readonly BadManifest[] = [...badNetworkPools, ...badProviderConfigs];
