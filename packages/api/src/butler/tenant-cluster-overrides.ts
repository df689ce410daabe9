import { z } from "zod";

const text = (doc: string) => z.string().optional().describe(`${doc}. Defaults to the value in the ProviderConfig.`);

/** The settings of a ProviderConfig that a cluster can override. */
export const overridableSettings = [
  "namespace",
  "networkName",
  "imageName",
  "clusterUUID",
  "subnetUUID",
  "imageUUID",
  "storageContainerUUID",
  "node",
  "storage",
  "templateID",
  "zone",
  "machineType",
  "image",
  "imageFamily",
  "subnetwork",
] as const;

/** Overrides of the ProviderConfig settings for a single cluster. */
export const infrastructureOverride = z.object({
  harvester: z
    .object({
      namespace: text("Harvester namespace for the virtual machines"),
      networkName: text("VM network for the machines, as `namespace/name`"),
      imageName: text("VM image, as `namespace/name`"),
    })
    .optional()
    .describe("Settings for Harvester. Empty fields default to the values in the ProviderConfig."),
  nutanix: z
    .object({
      clusterUUID: text("UUID of the Nutanix cluster that runs the machines"),
      subnetUUID: text("UUID of the subnet that the machines are attached to"),
      imageUUID: text("UUID of the VM image"),
      storageContainerUUID: text("UUID of the storage container for the disks"),
    })
    .optional()
    .describe("Settings for Nutanix. Empty fields default to the values in the ProviderConfig."),
  proxmox: z
    .object({
      node: text("Proxmox host that runs the machines"),
      storage: text("Storage for the disks"),
      templateID: z
        .int()
        .optional()
        .describe("ID of the template to clone machines from. Defaults to the value in the ProviderConfig."),
    })
    .optional()
    .describe("Settings for Proxmox VE. Empty fields default to the values in the ProviderConfig."),
  gcp: z
    .object({
      zone: text("Zone for the machines"),
      machineType: text("Machine type"),
      image: text("Exact VM image"),
      imageFamily: text("Image family. The newest image in the family is used"),
      subnetwork: text("Subnetwork for the machines"),
    })
    .optional()
    .describe("Settings for Google Cloud. Empty fields default to the values in the ProviderConfig."),
});
