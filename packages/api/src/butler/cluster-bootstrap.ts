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
  replicas: int32().min(1).max(10).describe("Nodes in the pool, 1 to 10."),
  cpu: int32().min(1).max(128).describe("CPU cores of each node, 1 to 128."),
  memoryMB: int32().min(2048).describe("Memory of each node in MB, at least 2048."),
  diskGB: int32().min(20).describe("Root disk of each node in GB, at least 20."),
  extraDisks: z.array(disk).optional().describe("Disks of each node besides the root disk; when empty, none."),
  labels: stringMap().optional().describe("Labels of the nodes."),
});

const cluster = z.object({
  name: dnsLabel().describe("Name of the cluster, at most 63 characters; the names of its machines begin with it."),
  topology: z
    .enum(["single-node", "ha"])
    .default("ha")
    .describe("single-node is one control plane node that also runs workloads; ha has control plane and worker nodes."),
  controlPlane: nodePool.describe("Control plane nodes; the topology single-node makes one, whatever replicas says."),
  workers: nodePool
    .optional()
    .describe(
      "Worker nodes; when absent, workloads run on the control plane nodes. Not read by the topology single-node.",
    ),
});

const talos = z.object({
  version: withRules(z.string().max(64), {
    rule: String.raw`self.matches('^v[0-9]+\\.[0-9]+\\.[0-9]+$')`,
    message: "must be a Talos version such as v1.9.3",
  }).describe("Version of Talos, with a leading v and three numbers."),
  schematic: z
    .string()
    .describe(
      "Schematic of the Talos image: a SHA-256 in hexadecimal; when empty, ButlerConfig.spec.imageFactory.defaultSchematicID.",
    ),
  configPatches: z
    .array(
      z.object({
        op: z.enum(["add", "remove", "replace"]).describe("What the patch does at its path."),
        path: z.string().min(1).describe("Place in the machine configuration, such as `/machine/time/servers`."),
        value: z.string().optional().describe("Value for add and replace, as JSON text; not read by remove."),
      }),
    )
    .optional()
    .describe("JSON patches for the machine configuration of every node, applied in order after Butler's own."),
  installDisk: z.string().default("/dev/vda").describe("Disk that Talos is installed on."),
});

const machine = z.object({
  name: z.string().describe("Name of the MachineRequest."),
  role: z.string().describe("Role of the machine: control-plane or worker."),
  phase: z.string().describe("Phase of the MachineRequest; empty before it has one."),
  ipAddress: z.string().optional().describe("Address of the machine."),
  talosConfigured: z.boolean().optional().describe("Whether Talos has its configuration."),
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
  phase: z.enum(phases).optional().describe("How far the cluster has come."),
  controlPlaneEndpoint: z.string().optional().describe("Where the API servers are reached."),
  kubeconfig: z.string().optional().describe("Kubeconfig of the cluster in base64; it gives full access."),
  talosconfig: z.string().optional().describe("Configuration of talosctl in base64; it gives full access."),
  consoleURL: z.string().optional().describe("Address of the console."),
  machines: z.array(machine).optional().describe("How far each machine has come."),
  failureReason: z.string().optional().describe("Why the cluster failed, as one CamelCase word for programs."),
  failureMessage: z.string().optional().describe("Why the cluster failed, for people."),
  conditions: conditions("Ready", "Progressing", "Degraded"),
  lastUpdated: time().optional().describe("When the status was last written."),
  observedGeneration: observedGeneration(),
  addonsInstalled: z
    .record(z.string(), z.boolean())
    .optional()
    .describe("Steps of the installation, and whether each is done."),
});

/** An order for a management cluster. */
export const ClusterBootstrap = defineResource({
  ...butlerGroup,
  kind: "ClusterBootstrap",
  scope: "Namespaced",
  shortNames: ["cb"],
  doc: "ClusterBootstrap builds a management cluster: machines, Talos, Kubernetes and what Butler needs on it.",
  spec: z.object({
    provider: z.enum(infrastructures).describe("Infrastructure that the machines run on."),
    providerRef: providerRef().describe("ProviderConfig that the machines are made with."),
    cluster: cluster.describe("Name and nodes of the cluster."),
    network: bootstrapNetwork.describe("Networks and addresses of the cluster."),
    talos: talos.describe("Operating system of the nodes."),
    addons: bootstrapAddons.prefault({}).describe("What is installed on the cluster."),
    controlPlaneExposure: exposure
      .optional()
      .describe(
        "How API servers of tenant clusters are reached, written to the ButlerConfig of the new cluster; when absent, " +
          "each by a load balancer of its own.",
      ),
    paused: z.boolean().optional().describe("Whether work on the cluster stops; when absent, it does not."),
  }),
  status,
  columns: [
    { name: "Cluster", type: "string", jsonPath: ".spec.cluster.name" },
    { name: "Topology", type: "string", jsonPath: ".spec.cluster.topology" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Endpoint", type: "string", jsonPath: ".status.controlPlaneEndpoint" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "ClusterBootstrap",
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
