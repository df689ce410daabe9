import { formattedText, httpUrl, int32, withRules } from "@butler/resource";
import { z } from "zod";

const text = (doc: string) => z.string().optional().describe(doc);
const texts = (doc: string) => z.array(z.string()).optional().describe(doc);
const insecure = z
  .boolean()
  .default(false)
  .describe("Whether to skip TLS certificate verification. Defaults to false.");

/** Settings for machines on Harvester. */
export const harvesterBlock = z.object({
  endpoint: text("URL of the Harvester API. Defaults to the server in the kubeconfig from credentialsRef."),
  namespace: z.string().default("default").describe("Harvester namespace for the machines. Defaults to `default`."),
  networkName: formattedText({
    pattern: "^[a-z0-9-]+/[a-z0-9-]+$",
    message: "must be namespace/name of a VM network, such as default/vlan40",
    maxLength: 253,
  }).describe("VM network for the machines, as `namespace/name`."),
  imageName: text("VM image, as `namespace/name`. If empty, an image must be specified for each machine."),
  storageClassName: text("Storage class for the disks. Defaults to the image's storage class."),
});

/** Settings for machines on Nutanix. */
export const nutanixBlock = z.object({
  endpoint: httpUrl("https://prism.example.com").describe("URL of Prism Central."),
  port: int32().min(1).max(65535).default(9440).describe("Port of Prism Central. Defaults to 9440."),
  insecure,
  clusterUUID: z.string().describe("UUID of the Nutanix cluster that runs the machines."),
  subnetUUID: z.string().describe("UUID of the subnet that the machines are attached to."),
  imageUUID: text("UUID of the VM image. If empty, an image must be specified for each machine."),
  storageContainerUUID: text("UUID of the storage container for the disks. Defaults to the cluster default."),
});

/** Settings for machines on Proxmox VE. */
export const proxmoxBlock = z.object({
  endpoint: httpUrl("https://proxmox.example.com:8006").describe("URL of the Proxmox API."),
  insecure,
  nodes: z.array(z.string()).min(1).describe("Proxmox hosts that machines can run on. At least one is required."),
  storage: z.string().describe("Storage for the disks."),
  templateID: int32()
    .optional()
    .describe("ID of the template to clone machines from. If unset, a template must be specified for each machine."),
  vmidRange: withRules(
    z.object({
      start: int32().min(100).describe("First VM ID that Butler can assign."),
      end: int32().min(100).describe("Last VM ID that Butler can assign."),
    }),
    { rule: "self.start <= self.end", message: "start must not be greater than end" },
  )
    .optional()
    .describe("Range of VM IDs for machines. If unset, Proxmox assigns the next free ID."),
});

/** Settings for machines on Microsoft Azure. */
export const azureBlock = z.object({
  subscriptionID: z.string().min(1).describe("ID of the subscription that the machines are billed to."),
  resourceGroup: z.string().min(1).describe("Resource group for the machines."),
  location: text("Region for the machines. Defaults to the region of the resource group."),
  vnetName: text("Virtual network for the machines. Defaults to the provider's default."),
  subnetName: text("Subnet in the virtual network. Defaults to the provider's default."),
  vmSize: text(
    "VM size, such as Standard_D4s_v3. If empty, Butler chooses a size that matches the requested CPU cores and memory.",
  ),
  imageURN: text(
    "VM image: `publisher:offer:sku:version`, or the resource ID of a managed image or a shared gallery " +
      "image version. If empty, an image must be specified for each machine.",
  ),
});

/** Settings for machines on AWS. */
export const awsBlock = z.object({
  region: z.string().min(1).describe("Region for the machines, such as eu-central-1."),
  vpcID: text("ID of the VPC. Defaults to the default VPC of the region."),
  subnetIDs: texts("IDs of the subnets that machines are spread across. Defaults to the subnets of the VPC."),
  securityGroupIDs: texts(
    "IDs of the security groups for the machines. Defaults to the default security group of the VPC.",
  ),
});

/** Settings for machines on Google Cloud. */
export const gcpBlock = z.object({
  projectID: z.string().min(1).describe("ID of the project that the machines are billed to."),
  region: z.string().min(1).describe("Region for the machines, such as europe-west3."),
  zone: text("Zone for the machines. Defaults to zone a in the region."),
  network: text("VPC network for the machines. Defaults to the project's default network."),
  subnetwork: text("Subnetwork for the machines. Defaults to the subnetwork of the region."),
  machineType: text(
    "Machine type, such as n2-standard-4. If empty, Butler chooses a machine type that matches the requested CPU cores and memory.",
  ),
  imageProject: text("Project that contains the image. Defaults to projectID."),
  imageFamily: text("Image family. The newest image in the family is used. Ignored if image is set."),
  image: text(
    "Exact VM image. Takes precedence over imageFamily. If both are empty, an image must be specified for each machine.",
  ),
  serviceAccount: text(
    "Email address of the service account for the machines. Defaults to the project's default service account.",
  ),
  tags: texts("Network tags for the machines, for use in firewall rules."),
});

/** Settings for machines that run as pods in the management cluster. */
export const localBlock = z.object({
  kindNodeImage: text(
    "Image for the machines. Must be listed in ButlerConfig.spec.localMachines.allowedImages. Defaults to the image " +
      "for the cluster's Kubernetes version.",
  ),
});
