import { ImageSync, IPAllocation, LoadBalancerRequest, MachineRequest } from "@butler/api";
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec, manifestOf } from "./change-manifest.ts";

const imageSync = manifestOf(ImageSync, "butler-system/bad-image-sync", {
  factoryRef: { schematicID: "376567988ad37013", version: "v1.12.4" },
  providerConfigRef: { name: "harvester" },
});

const ipAllocation = manifestOf(IPAllocation, "butler-system/bad-ip-allocation", {
  poolRef: { name: "underlay" },
  tenantClusterRef: { name: "shop", namespace: "payments" },
  type: "nodes",
  pinnedRange: { startAddress: "10.40.1.100", endAddress: "10.40.1.107" },
});

const loadBalancerRequest = manifestOf(LoadBalancerRequest, "butler-system/bad-load-balancer-request", {
  clusterName: "management",
  providerConfigRef: { name: "gcp" },
  targets: [{ ip: "10.128.0.11", instanceName: "management-cp-0" }],
});

const machineRequest = manifestOf(MachineRequest, "butler-system/bad-machine-request", {
  providerRef: { name: "harvester" },
  machineName: "management-cp-0",
  role: "control-plane",
  cpu: 4,
  memoryMB: 8192,
  diskGB: 60,
});

/** Broken orders to providers: ImageSyncs, IPAllocations, LoadBalancerRequests and MachineRequests. */
export const badOrders: readonly BadManifest[] = [
  {
    name: "ImageSync: schematic is shorter than 8 characters",
    manifest: changeSpec(imageSync, "factoryRef.schematicID", "3765679"),
    expect: "spec.factoryRef.schematicID in body should be at least 8 chars long",
  },
  {
    name: "ImageSync: version is empty",
    manifest: changeSpec(imageSync, "factoryRef.version", ""),
    expect: "spec.factoryRef.version in body should be at least 1 chars long",
  },
  {
    name: "ImageSync: architecture in Linux notation",
    manifest: changeSpec(imageSync, "factoryRef.arch", "x86_64"),
    expect: 'spec.factoryRef.arch: Unsupported value: "x86_64": supported values: "amd64", "arm64"',
  },
  {
    name: "ImageSync: transfer mode is unknown",
    manifest: changeSpec(imageSync, "transferMode", "upload"),
    expect: 'spec.transferMode: Unsupported value: "upload": supported values: "direct", "proxy"',
  },
  {
    name: "ImageSync: reference to the provider as in a MachineRequest",
    manifest: changeSpec(imageSync, "providerRef", { name: "harvester" }),
    expect: 'unknown field "spec.providerRef"',
  },
  {
    name: "ImageSync: factory image is missing",
    manifest: changeSpec(imageSync, "factoryRef", undefined),
    expect: "spec.factoryRef: Required value",
  },
  {
    name: "IPAllocation: type is unknown",
    manifest: changeSpec(ipAllocation, "type", "pods"),
    expect: 'spec.type: Unsupported value: "pods": supported values: "nodes", "loadbalancer"',
  },
  {
    name: "IPAllocation: cluster without a namespace",
    manifest: changeSpec(ipAllocation, "tenantClusterRef.namespace", undefined),
    expect: "spec.tenantClusterRef.namespace: Required value",
  },
  {
    name: "IPAllocation: no address at all",
    manifest: changeSpec(ipAllocation, "count", 0),
    expect: "spec.count in body should be greater than or equal to 1",
  },
  {
    name: "IPAllocation: count exceeds 32 bits",
    manifest: changeSpec(ipAllocation, "count", 4294967296),
    expect: "must be of type integer with format int32 in spec.count",
  },
  {
    name: "IPAllocation: pinned range start is not an address",
    manifest: changeSpec(ipAllocation, "pinnedRange.startAddress", "10.40.1.256"),
    expect: 'spec.pinnedRange.startAddress: Invalid value: "10.40.1.256": must be an IP address such as 10.40.1.100',
  },
  {
    name: "IPAllocation: pinned range without an end",
    manifest: changeSpec(ipAllocation, "pinnedRange.endAddress", undefined),
    expect: "spec.pinnedRange.endAddress: Required value",
  },
  {
    name: "IPAllocation: pinned range ends before it starts",
    manifest: changeSpec(ipAllocation, "pinnedRange.endAddress", "10.40.1.9"),
    expect: "spec.pinnedRange.endAddress: Invalid value: must be greater than or equal to startAddress",
  },
  {
    name: "IPAllocation: pinned range mixes IPv4 and IPv6",
    manifest: changeSpec(ipAllocation, "pinnedRange.endAddress", "2001:db8::7"),
    expect: "spec.pinnedRange: Invalid value: startAddress and endAddress must both be IPv4 or both be IPv6 addresses",
  },
  {
    name: "IPAllocation: another pool",
    before: ipAllocation,
    manifest: changeSpec(ipAllocation, "poolRef.name", "other"),
    expect: "spec is immutable; delete the IPAllocation and create a new one",
  },
  {
    name: "IPAllocation: a number is added",
    before: ipAllocation,
    manifest: changeSpec(ipAllocation, "count", 4),
    expect: "spec is immutable; delete the IPAllocation and create a new one",
  },
  {
    name: "LoadBalancerRequest: cluster changes",
    before: loadBalancerRequest,
    manifest: changeSpec(loadBalancerRequest, "clusterName", "other"),
    expect: 'spec.clusterName: Invalid value: "other": clusterName is immutable',
  },
  {
    name: "LoadBalancerRequest: provider changes",
    before: loadBalancerRequest,
    manifest: changeSpec(loadBalancerRequest, "providerConfigRef.name", "aws"),
    expect: "spec.providerConfigRef: Invalid value: providerConfigRef is immutable",
  },
  {
    name: "LoadBalancerRequest: provider gains a namespace",
    before: loadBalancerRequest,
    manifest: changeSpec(loadBalancerRequest, "providerConfigRef.namespace", "butler-system"),
    expect: "spec.providerConfigRef: Invalid value: providerConfigRef is immutable",
  },
  {
    name: "LoadBalancerRequest: cluster name ends with a dash",
    manifest: changeSpec(loadBalancerRequest, "clusterName", "management-"),
    expect: 'spec.clusterName: Invalid value: "management-": must consist of lowercase letters, digits and',
  },
  {
    name: "LoadBalancerRequest: port is too high",
    manifest: changeSpec(loadBalancerRequest, "port", 65536),
    expect: "spec.port in body should be less than or equal to 65535",
  },
  {
    name: "LoadBalancerRequest: health check port is 0",
    manifest: changeSpec(loadBalancerRequest, "healthCheckPort", 0),
    expect: "spec.healthCheckPort in body should be greater than or equal to 1",
  },
  {
    name: "LoadBalancerRequest: target is a host name",
    manifest: changeSpec(loadBalancerRequest, "targets.0.ip", "management-cp-0"),
    expect: 'spec.targets[0].ip: Invalid value: "management-cp-0": must be an IP address such as 10.40.1.100',
  },
  {
    name: "LoadBalancerRequest: target has a port of its own",
    manifest: changeSpec(loadBalancerRequest, "targets.0.port", 6443),
    expect: 'unknown field "spec.targets[0].port"',
  },
  {
    name: "MachineRequest: name has a dot",
    manifest: changeSpec(machineRequest, "machineName", "management.cp-0"),
    expect: 'spec.machineName: Invalid value: "management.cp-0": must consist of lowercase letters, digits and',
  },
  {
    name: "MachineRequest: role is a deprecated name",
    manifest: changeSpec(machineRequest, "role", "master"),
    expect: 'spec.role: Unsupported value: "master": supported values: "control-plane", "worker"',
  },
  {
    name: "MachineRequest: too many CPU cores",
    manifest: changeSpec(machineRequest, "cpu", 129),
    expect: "spec.cpu in body should be less than or equal to 128",
  },
  {
    name: "MachineRequest: fraction of a CPU core",
    manifest: changeSpec(machineRequest, "cpu", 1.5),
    expect: "spec.cpu in body must be of type int32",
  },
  {
    name: "MachineRequest: too little memory",
    manifest: changeSpec(machineRequest, "memoryMB", 512),
    expect: "spec.memoryMB in body should be greater than or equal to 1024",
  },
  {
    name: "MachineRequest: root disk is missing",
    manifest: changeSpec(machineRequest, "diskGB", undefined),
    expect: "spec.diskGB: Required value",
  },
  {
    name: "MachineRequest: extra disk of size 0",
    manifest: changeSpec(machineRequest, "extraDisks", [{ sizeGB: 0 }]),
    expect: "spec.extraDisks[0].sizeGB in body should be greater than or equal to 1",
  },
  {
    name: "MachineRequest: label value is a number",
    manifest: changeSpec(machineRequest, "labels", { rack: 7 }),
    expect: "spec.labels.rack in body must be of type string",
  },
  {
    name: "MachineRequest: provider without a name",
    manifest: changeSpec(machineRequest, "providerRef", { namespace: "butler-system" }),
    expect: "spec.providerRef.name: Required value",
  },
];
