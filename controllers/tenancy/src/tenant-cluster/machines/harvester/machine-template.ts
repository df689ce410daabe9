import { labels, managedByButler } from "@butler/api";
import { wholeBytes } from "../accepted-sizes.ts";
import type { ClusterInput, PoolInput } from "../machine-provider.ts";
import { type HarvesterSettings, harvesterSettings } from "./settings.ts";

/** CAPK puts the name of the machine before it. */
const rootDisk = "rootdisk";

/** Virtual machines carry it in place of Kubernetes' own label, which Harvester's tools use for themselves. */
const managedByLabel = "butler.butlerlabs.dev/managed-by";

/** By which the machines of one cluster find each other, to run on different hosts. */
const neighbourLabel = "butler.butlerlabs.dev/tenant-namespace";

/** The spec of the KubevirtMachineTemplate of a pool. */
export function kubevirtMachineTemplate(
  input: ClusterInput,
  pool: PoolInput,
  infraClusterSecretRef: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const settings = harvesterSettings(input, pool);
  return {
    template: {
      spec: {
        infraClusterSecretRef,
        // The other way to check is an account for CAPK on every machine.
        virtualMachineBootstrapCheck: { checkStrategy: "none" },
        virtualMachineTemplate: {
          metadata: { namespace: settings.namespace, labels: machineLabels(input) },
          spec: {
            runStrategy: "Always",
            dataVolumeTemplates: [diskTemplate(settings, pool)],
            template: { metadata: { labels: machineLabels(input) }, spec: instance(input, settings, pool) },
          },
        },
      },
    },
  };
}

/** Only what never changes during the life of a cluster: another label would replace every machine. */
function machineLabels({ cluster, namespace }: ClusterInput): Record<string, string> {
  return {
    "harvesterhci.io/creator": "harvester",
    [managedByLabel]: managedByButler,
    [labels.tenant]: cluster.metadata.name,
    [neighbourLabel]: namespace,
  };
}

function diskTemplate({ image, storageClass }: HarvesterSettings, { machine }: PoolInput): Record<string, unknown> {
  return {
    metadata: { name: rootDisk, annotations: { "harvesterhci.io/imageId": image } },
    spec: {
      // The storage class fills the volume with the image; nothing is to be written over it.
      source: { blank: {} },
      pvc: {
        accessModes: ["ReadWriteMany"],
        volumeMode: "Block",
        storageClassName: storageClass,
        resources: { requests: { storage: wholeBytes(machine.diskSize) } },
      },
    },
  };
}

function instance(
  input: ClusterInput,
  { network }: HarvesterSettings,
  { machine }: PoolInput,
): Record<string, unknown> {
  const memory = wholeBytes(machine.memory);
  return {
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [apartFrom(input)] } },
    domain: {
      machine: { type: "q35" },
      cpu: { cores: machine.cpu, sockets: 1, threads: 1 },
      resources: { requests: { memory }, limits: { cpu: String(machine.cpu), memory } },
      devices: {
        disks: [{ name: rootDisk, bootOrder: 1, disk: { bus: "virtio" } }],
        interfaces: [{ name: "nic-1", model: "virtio", bridge: {} }],
      },
    },
    networks: [{ name: "nic-1", multus: { networkName: network } }],
    volumes: [{ name: rootDisk, dataVolume: { name: rootDisk } }],
  };
}

/** A host that fails should not take a whole cluster with it. */
function apartFrom({ namespace }: ClusterInput): Record<string, unknown> {
  return {
    weight: 100,
    podAffinityTerm: {
      labelSelector: { matchLabels: { [neighbourLabel]: namespace } },
      topologyKey: "kubernetes.io/hostname",
    },
  };
}
