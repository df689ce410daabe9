import { bytesLess, type ClusterInput, type PoolInput, type SmallestMachine, wholeBytes } from "@butler/provider";
import { parseQuantity } from "@butler/std";
import { nutanixSettings } from "./settings.ts";

/** CAPX rejects smaller ones, and never retries the machine. */
export const smallestNutanixMachine: SmallestMachine = { memory: "2Gi", diskSize: "20Gi" };

/** Disk size of the operating system when the data has a separate disk. */
const systemDiskBesideData = "20Gi";
const smallestWithData = "40Gi";

/** The spec of the NutanixMachineTemplate of a pool. */
export function nutanixMachineTemplate(input: ClusterInput, pool: PoolInput): Record<string, unknown> {
  const { cpu, memory } = pool.machine;
  const { cluster, subnet, image } = nutanixSettings(input, pool);
  return {
    template: {
      spec: {
        bootType: "legacy",
        vcpuSockets: cpu,
        vcpusPerSocket: 1,
        memorySize: wholeBytes(memory),
        image,
        cluster,
        subnet: [subnet],
        ...disks(input, pool),
      },
    },
  };
}

/** Why a machine cannot have its data in a separate storage container, as a sentence. */
export function dataDiskFaults(input: ClusterInput, pool: PoolInput): string[] {
  const { diskSize } = pool.machine;
  if (!hasDataDisk(input, pool) || parseQuantity(diskSize) >= parseQuantity(smallestWithData)) return [];
  return [
    `diskSize of pool ${pool.name} is ${diskSize}; with a storage container set, machines require at least ` +
      smallestWithData,
  ];
}

/** Whether machines keep images and the data of pods on a separate disk. */
export function hasDataDisk(input: ClusterInput, pool: PoolInput): boolean {
  return nutanixSettings(input, pool).storageContainer !== undefined;
}

/**
 * CAPX creates the system disk where the image is, and only further disks in a storage container. So
 * when one is set, the requested size is split between two disks.
 */
function disks(input: ClusterInput, pool: PoolInput): Record<string, unknown> {
  const { diskSize } = pool.machine;
  const { storageContainer } = nutanixSettings(input, pool);
  if (storageContainer === undefined) return { systemDiskSize: wholeBytes(diskSize) };
  const dataDisk = {
    diskSize: bytesLess(diskSize, systemDiskBesideData),
    deviceProperties: { deviceType: "Disk", adapterType: "SCSI", deviceIndex: 1 },
    storageConfig: { diskMode: "Standard", storageContainer },
  };
  return { systemDiskSize: systemDiskBesideData, dataDisks: [dataDisk] };
}
