import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec } from "./change-manifest.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1alpha1";

const cluster = {
  apiVersion,
  kind: "LocalCluster",
  metadata: { name: "bad-cluster", namespace: "default" },
  spec: { controlPlaneEndpoint: { host: "10.40.1.100", port: 6443 } },
};
const machine = {
  apiVersion,
  kind: "LocalMachine",
  metadata: { name: "bad-machine", namespace: "default" },
  spec: { providerID: "local:////bad-machine", cpu: "2", memory: "2Gi" },
};
const template = {
  apiVersion,
  kind: "LocalMachineTemplate",
  metadata: { name: "bad-template", namespace: "default" },
  spec: { template: { spec: { cpu: 2 } } },
};

/** Broken LocalClusters, LocalMachines and templates of them. */
export const badLocal: readonly BadManifest[] = [
  {
    name: "LocalCluster: endpoint without a port",
    manifest: changeSpec(cluster, "controlPlaneEndpoint.port", undefined),
    expect: "spec.controlPlaneEndpoint.port: Required value",
  },
  {
    name: "LocalCluster: endpoint port of 0",
    manifest: changeSpec(cluster, "controlPlaneEndpoint.port", 0),
    expect: "spec.controlPlaneEndpoint.port in body should be greater than or equal to 1",
  },
  {
    name: "LocalCluster: endpoint as text",
    manifest: changeSpec(cluster, "controlPlaneEndpoint", "10.40.1.100:6443"),
    expect: 'spec.controlPlaneEndpoint in body must be of type object: "string"',
  },
  {
    name: "LocalCluster: pod network that does not exist",
    manifest: changeSpec(cluster, "podNetwork", "Calico"),
    expect: 'spec.podNetwork: Unsupported value: "Calico": supported values: "Butler", "None"',
  },
  {
    name: "LocalCluster: unknown field",
    manifest: changeSpec(cluster, "network", "bridge"),
    expect: 'unknown field "spec.network"',
  },
  {
    name: "LocalMachine: CPU that is no quantity",
    manifest: changeSpec(machine, "cpu", "two"),
    expect: 'spec.cpu: Invalid value: "two": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "LocalMachine: no CPU at all",
    manifest: changeSpec(machine, "cpu", 0),
    expect: "spec.cpu: Invalid value: 0: must be greater than 0",
  },
  {
    name: "LocalMachine: negative memory",
    manifest: changeSpec(machine, "memory", "-1Gi"),
    expect: 'spec.memory: Invalid value: "-1Gi": must be greater than 0',
  },
  {
    name: "LocalMachine: memory with a unit that does not exist",
    manifest: changeSpec(machine, "memory", "2GB"),
    expect: 'spec.memory: Invalid value: "2GB": must be a quantity such as 4, 500m or 16Gi',
  },
  {
    name: "LocalMachine: image that is empty",
    manifest: changeSpec(machine, "image", ""),
    expect: "spec.image in body should be at least 1 chars long",
  },
  {
    name: "LocalMachine: mount of the host",
    manifest: changeSpec(machine, "extraMounts", [{ hostPath: "/", containerPath: "/host" }]),
    expect: 'unknown field "spec.extraMounts"',
  },
  {
    name: "LocalMachine: name with a dot",
    manifest: { ...machine, metadata: { name: "bad.machine", namespace: "default" } },
    expect:
      "metadata.name is used as a hostname: it must consist of at most 63 lowercase letters, digits and '-', without dots",
  },
  {
    name: "LocalMachine: identity changes",
    before: machine,
    manifest: changeSpec(machine, "providerID", "local:////other"),
    expect: 'spec.providerID: Invalid value: "local:////other": providerID is immutable',
  },
  {
    name: "LocalMachine: identity is removed",
    before: machine,
    manifest: changeSpec(machine, "providerID", undefined),
    expect: "spec.providerID: Invalid value: providerID cannot be removed once it is set",
  },
  {
    name: "LocalMachineTemplate: no machine",
    manifest: changeSpec(template, "template", {}),
    expect: "spec.template.spec: Required value",
  },
  {
    name: "LocalMachineTemplate: identity, which only a machine has",
    manifest: changeSpec(template, "template.spec.providerID", "local:////one"),
    expect: 'unknown field "spec.template.spec.providerID"',
  },
  {
    name: "LocalMachineTemplate: label that is a number",
    manifest: changeSpec(template, "template.metadata", { labels: { pool: 1 } }),
    expect: 'spec.template.metadata.labels.pool in body must be of type string: "integer"',
  },
];
