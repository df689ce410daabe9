import { formattedText, httpUrl, int32, withRules } from "@butler/resource";
import { z } from "zod";

const text = (doc: string) => z.string().optional().describe(doc);
const texts = (doc: string) => z.array(z.string()).optional().describe(doc);
const insecure = z
  .boolean()
  .default(false)
  .describe("Whether to accept a certificate that cannot be verified; false when absent.");

/** How machines are made on Harvester. */
export const harvesterBlock = z.object({
  endpoint: text("URL of the Harvester API; when empty, that of the kubeconfig in the credentials."),
  namespace: z
    .string()
    .default("default")
    .describe("Namespace on Harvester that machines are made in; `default` when absent."),
  networkName: formattedText({
    pattern: "^[a-z0-9-]+/[a-z0-9-]+$",
    message: "must be namespace/name of a VM network, such as default/vlan40",
    maxLength: 253,
  }).describe("VM network of the machines as `namespace/name`."),
  imageName: text("Image that machines start from as `namespace/name`; when empty, each request must name one."),
  storageClassName: text("Storage class of the disks; when empty, the one of the image."),
});

/** How machines are made on Nutanix. */
export const nutanixBlock = z.object({
  endpoint: httpUrl("https://prism.example.com").describe("URL of Prism Central."),
  port: int32().min(1).max(65535).default(9440).describe("Port of Prism Central; 9440 when absent."),
  insecure,
  clusterUUID: z.string().describe("UUID of the Nutanix cluster that runs the machines."),
  subnetUUID: z.string().describe("UUID of the subnet that the machines are attached to."),
  imageUUID: text("UUID of the image that machines start from; when empty, each request must name one."),
  storageContainerUUID: text("UUID of the storage container of the disks; when empty, the cluster's default."),
});

/** How machines are made on Proxmox VE. */
export const proxmoxBlock = z.object({
  endpoint: httpUrl("https://proxmox.example.com:8006").describe("URL of the Proxmox API."),
  insecure,
  nodes: z.array(z.string()).min(1).describe("Proxmox hosts that machines may run on; at least one."),
  storage: z.string().describe("Storage that the disks are made on."),
  templateID: int32()
    .optional()
    .describe("Id of the template that machines are cloned from; when absent, each request must name one."),
  vmidRange: withRules(
    z.object({
      start: int32().min(100).describe("First id that Butler may give to a machine."),
      end: int32().min(100).describe("Last id that Butler may give to a machine."),
    }),
    { rule: "self.start <= self.end", message: "start must not be above end" },
  )
    .optional()
    .describe("Ids that Butler may give to machines; when absent Proxmox picks the next free one."),
});

/** How machines are made on Microsoft Azure. */
export const azureBlock = z.object({
  subscriptionID: z.string().min(1).describe("Id of the subscription that pays for the machines."),
  resourceGroup: z.string().min(1).describe("Resource group that the machines are made in."),
  location: text("Region of the machines; when empty, that of the resource group."),
  vnetName: text("Virtual network of the machines; when empty, the provider's default."),
  subnetName: text("Subnet of the virtual network; when empty, the provider's default."),
  vmSize: text("Size of the machines, such as Standard_D4s_v3; when empty, one that fits cores and memory."),
  imageURN: text(
    "Image that machines start from: `publisher:offer:sku:version`, or the resource id of a managed image or of a " +
      "version in a shared gallery; when empty, each request must name one.",
  ),
});

/** How machines are made on AWS. */
export const awsBlock = z.object({
  region: z.string().min(1).describe("Region of the machines, such as eu-central-1."),
  vpcID: text("Id of the VPC of the machines; when empty, the region's default VPC."),
  subnetIDs: texts("Ids of the subnets that machines are spread over; when empty, those of the VPC."),
  securityGroupIDs: texts("Ids of the security groups of the machines; when empty, the VPC's default group."),
});

/** How machines are made on Google Cloud. */
export const gcpBlock = z.object({
  projectID: z.string().min(1).describe("Id of the project that pays for the machines."),
  region: z.string().min(1).describe("Region of the machines, such as europe-west3."),
  zone: text("Zone of the machines; when empty, zone a of the region."),
  network: text("VPC network of the machines; when empty, the project's default."),
  subnetwork: text("Subnetwork of the machines; when empty, the one of the region."),
  machineType: text("Type of the machines, such as n2-standard-4; when empty, one that fits cores and memory."),
  imageProject: text("Project that the image is in; when empty, projectID."),
  imageFamily: text("Family whose newest image machines start from; not read when image is set."),
  image: text(
    "Exact image that machines start from; wins over imageFamily. When both are empty, each request must name one.",
  ),
  serviceAccount: text(
    "E-mail address of the service account that machines run as; when empty, the project's default.",
  ),
  tags: texts("Network tags of the machines, by which firewall rules find them; when empty, none."),
});

/** How machines are made as pods of the management cluster. */
export const localBlock = z.object({
  kindNodeImage: text("Image of the machines; when empty, the one that fits the cluster's Kubernetes version."),
});
