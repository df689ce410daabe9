import {
  conditions,
  defineResource,
  dnsLabel,
  int32,
  observedGeneration,
  type ObjectOf,
  providerRef,
  stringMap,
  time,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { bootstrapAddons } from "./cluster-bootstrap-addons.ts";
import { bootstrapNetwork } from "./cluster-bootstrap-network.ts";
import { disk } from "./disk.ts";
import { exposure } from "./exposure.ts";
import { butlerGroup } from "./group.ts";
import { infrastructures } from "./infrastructures.ts";

const nodePool = z.object({
  replicas: int32().min(1).max(10).describe("Number of nodes in the pool, 1 to 10."),
  cpu: int32().min(1).max(128).describe("Number of CPU cores per node, 1 to 128."),
  memoryMB: int32().min(2048).describe("Memory per node in MB, at least 2048."),
  diskGB: int32().min(20).describe("Root disk size per node in GB, at least 20."),
  extraDisks: z.array(disk).optional().describe("Additional disks for each node."),
  labels: stringMap().optional().describe("Labels for the nodes."),
});

const cluster = z.object({
  name: dnsLabel().describe("Name of the cluster, at most 63 characters. Used as a prefix for machine names."),
  topology: z
    .enum(["single-node", "ha"])
    .default("ha")
    .describe("single-node: one control plane node that also runs workloads. ha: control plane and worker nodes."),
  controlPlane: nodePool.describe(
    "Control plane nodes. If topology is single-node, replicas is ignored and one node is created.",
  ),
  workers: nodePool
    .optional()
    .describe("Worker nodes. If unset, workloads run on the control plane nodes. Ignored if topology is single-node."),
});

const talos = z.object({
  version: withRules(z.string().max(64), {
    rule: String.raw`self.matches('^v[0-9]+\\.[0-9]+\\.[0-9]+$')`,
    message: "must be a Talos version such as v1.9.3",
  }).describe("Talos version, such as v1.9.3."),
  schematic: z
    .string()
    .describe(
      "Schematic of the Talos image, as a hexadecimal SHA-256. Defaults to ButlerConfig.spec.imageFactory.defaultSchematicID.",
    ),
  configPatches: z
    .array(
      z.object({
        op: z.enum(["add", "remove", "replace"]).describe("Patch operation."),
        path: z
          .string()
          .min(1)
          .describe("JSON pointer into the machine configuration, such as `/machine/time/servers`."),
        value: z
          .string()
          .optional()
          .describe("Value for the add and replace operations, as JSON text. Ignored for remove."),
      }),
    )
    .optional()
    .describe("JSON patches for the machine configuration of every node, applied in order after Butler's own patches."),
  installDisk: z.string().default("/dev/vda").describe("Disk to install Talos on."),
});

const machine = z.object({
  name: z.string().describe("Name of the MachineRequest."),
  role: z.string().describe("Role of the machine: control-plane or worker."),
  phase: z.string().describe("Phase of the MachineRequest. Empty until the MachineRequest reports a phase."),
  ipAddress: z.string().optional().describe("IP address of the machine."),
  talosConfigured: z.boolean().optional().describe("Whether the Talos configuration has been applied."),
  ready: z.boolean().optional().describe("Whether the node has joined the cluster."),
});

const phases = [
  "Pending",
  "ProvisioningMachines",
  "ConfiguringTalos",
  "BootstrappingCluster",
  "InstallingAddons",
  "Pivoting",
  "Ready",
  "Failed",
] as const;

const status = z.object({
  phase: z.enum(phases).optional().describe("Current phase of the cluster."),
  controlPlaneEndpoint: z.string().optional().describe("Endpoint of the API servers."),
  kubeconfig: z.string().optional().describe("Base64-encoded kubeconfig of the cluster. Grants full access."),
  talosconfig: z.string().optional().describe("Base64-encoded talosctl configuration. Grants full access."),
  consoleURL: z.string().optional().describe("URL of the console."),
  machines: z.array(machine).optional().describe("Status of each machine."),
  failureReason: z.string().optional().describe("Machine-readable reason for the failure, in CamelCase."),
  failureMessage: z.string().optional().describe("Human-readable message about the failure."),
  conditions: conditions("Ready", "Progressing", "Degraded"),
  lastUpdated: time().optional().describe("Time of the last status update."),
  observedGeneration: observedGeneration(),
  addonsInstalled: z.record(z.string(), z.boolean()).optional().describe("Whether each installation step is complete."),
});

/** A request for a management cluster. */
export const ClusterBootstrap = defineResource({
  ...butlerGroup,
  kind: "ClusterBootstrap",
  scope: "Namespaced",
  shortNames: ["cb"],
  doc: "ClusterBootstrap creates a management cluster: machines, Talos, Kubernetes and the components that Butler requires.",
  spec: z.object({
    provider: z.enum(infrastructures).describe("Infrastructure that the machines run on."),
    providerRef: providerRef().describe("ProviderConfig for the machines."),
    cluster: cluster.describe("Name and nodes of the cluster."),
    network: bootstrapNetwork.describe("Networks and addresses of the cluster."),
    talos: talos.describe("Operating system for the nodes."),
    addons: bootstrapAddons.prefault({}).describe("Components installed on the cluster."),
    controlPlaneExposure: exposure
      .optional()
      .describe(
        "How tenant cluster API servers are exposed. Written to the ButlerConfig in the new cluster. If " +
          "unset, each API server gets its own load balancer.",
      ),
    paused: z.boolean().optional().describe("Whether reconciliation of the cluster is paused. Defaults to false."),
  }),
  status,
  columns: {
    Cluster: ".spec.cluster.name",
    Topology: ".spec.cluster.topology",
    Phase: ".status.phase",
    Endpoint: ".status.controlPlaneEndpoint",
  },
  example: {
    metadata: { name: "management", namespace: "butler-system" },
    spec: {
      provider: "harvester",
      providerRef: { name: "harvester" },
      cluster: {
        name: "management",
        topology: "ha",
        controlPlane: { replicas: 3, cpu: 4, memoryMB: 8192, diskGB: 60 },
        workers: { replicas: 3, cpu: 8, memoryMB: 16384, diskGB: 100, extraDisks: [{ sizeGB: 200 }] },
      },
      network: {
        podCIDR: "10.244.0.0/16",
        serviceCIDR: "10.96.0.0/12",
        vip: "10.40.0.10",
        loadBalancerPool: { start: "10.40.1.100", end: "10.40.1.150" },
      },
      talos: {
        version: "v1.9.3",
        schematic: "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
      },
      addons: { storage: { replicaCount: 2 }, console: { enabled: true } },
      controlPlaneExposure: { mode: "LoadBalancer" },
    },
  },
});
export type ClusterBootstrap = ObjectOf<typeof ClusterBootstrap>;
