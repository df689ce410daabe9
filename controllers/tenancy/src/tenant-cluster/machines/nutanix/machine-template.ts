import { parseQuantity } from "@butler/std";
import { bytesLess, type SmallestMachine, wholeBytes } from "../accepted-sizes.ts";
import type { ClusterInput, PoolInput } from "../machine-provider.ts";
import { nutanixSettings } from "./settings.ts";

/** CAPX refuses smaller ones, and then never looks at the machine again. */
export const smallestNutanixMachine: SmallestMachine = { memory: "2Gi", diskSize: "20Gi" };

/** What the operating system needs where the data has a disk of its own. */
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

/** Why a machine cannot have its data in a storage container of its own, as a sentence. */
export function dataDiskFaults(input: ClusterInput, pool: PoolInput): string[] {
  const { diskSize } = pool.machine;
  if (!hasDataDisk(input, pool) || parseQuantity(diskSize) >= parseQuantity(smallestWithData)) return [];
  return [
    `diskSize of pool ${pool.name} is ${diskSize}; with a storage container named, machines need at least ` +
      smallestWithData,
  ];
}

/** Whether machines keep images and the data of pods on a disk beside the system's. */
export function hasDataDisk(input: ClusterInput, pool: PoolInput): boolean {
  return nutanixSettings(input, pool).storageContainer !== undefined;
}

/**
 * CAPX puts the disk that is made from the image where the image is, and only further disks into a storage container. So
 * where one is named, the size asked for is shared by two disks.
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
