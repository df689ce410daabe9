import { z } from "zod";

const text = (doc: string) => z.string().optional().describe(`${doc}; when empty, that of the ProviderConfig.`);

/** Settings of the provider that one cluster has differently from its ProviderConfig. */
export const infrastructureOverride = z.object({
  harvester: z
    .object({
      namespace: text("Namespace on Harvester that the virtual machines are made in"),
      networkName: text("VM network of the machines as `namespace/name`"),
      imageName: text("Image that machines start from as `namespace/name`"),
    })
    .optional()
    .describe("Settings for Harvester; what is empty comes from the ProviderConfig."),
  nutanix: z
    .object({
      clusterUUID: text("UUID of the Nutanix cluster that runs the machines"),
      subnetUUID: text("UUID of the subnet that the machines are attached to"),
      imageUUID: text("UUID of the image that machines start from"),
      storageContainerUUID: text("UUID of the storage container of the disks"),
    })
    .optional()
    .describe("Settings for Nutanix; what is empty comes from the ProviderConfig."),
  proxmox: z
    .object({
      node: text("Proxmox host that runs the machines"),
      storage: text("Storage that the disks are made on"),
      templateID: z
        .int()
        .optional()
        .describe("Id of the template that machines are cloned from; when absent, that of the ProviderConfig."),
    })
    .optional()
    .describe("Settings for Proxmox VE; what is empty comes from the ProviderConfig."),
  gcp: z
    .object({
      zone: text("Zone of the machines"),
      machineType: text("Type of the machines"),
      image: text("Exact image that machines start from"),
      imageFamily: text("Family whose newest image machines start from"),
      subnetwork: text("Subnetwork of the machines"),
    })
    .optional()
    .describe("Settings for Google Cloud; what is empty comes from the ProviderConfig."),
});
