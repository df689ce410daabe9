import { labels, managedByButler } from "@butler/api";
import { type ClusterInput, type PoolInput, wholeBytes } from "@butler/provider";
import { type HarvesterSettings, harvesterSettings } from "./settings.ts";

/** CAPK prefixes it with the name of the machine. */
const rootDisk = "rootdisk";

/** Virtual machines have it instead of Kubernetes' own label, which Harvester's tools use. */
const managedByLabel = "butler.butlerlabs.dev/managed-by";

/** Selects the machines of one cluster for anti-affinity, so that they run on different hosts. */
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
        // The alternative check requires an account for CAPK on every machine.
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

/** Only labels that never change during the life of a cluster: a changed label would replace every machine. */
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
      // The storage class provisions the volume from the image; it must not be overwritten.
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

/** A failing host should not take down a whole cluster. */
function apartFrom({ namespace }: ClusterInput): Record<string, unknown> {
  return {
    weight: 100,
    podAffinityTerm: {
      labelSelector: { matchLabels: { [neighbourLabel]: namespace } },
      topologyKey: "kubernetes.io/hostname",
    },
  };
}
