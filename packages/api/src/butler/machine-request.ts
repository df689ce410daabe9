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
} from "@butler/resource";
import { z } from "zod";
import { disk } from "./disk.ts";
import { butlerGroup } from "./group.ts";

/** A request for a virtual machine. */
export const MachineRequest = defineResource({
  ...butlerGroup,
  kind: "MachineRequest",
  scope: "Namespaced",
  shortNames: ["mr"],
  doc: "MachineRequest requests a virtual machine from a provider. Deleting it deletes the machine and its disks.",
  spec: z.object({
    providerRef: providerRef().describe("ProviderConfig for the machine."),
    machineName: dnsLabel().describe(
      "Name of the machine on the provider, at most 63 characters. Must be unique in the provider's namespace or project.",
    ),
    role: z.enum(["control-plane", "worker"]).describe("Role of the machine in its cluster."),
    cpu: int32().min(1).max(128).describe("Number of CPU cores, 1 to 128."),
    memoryMB: int32().min(1024).describe("Memory in MB, at least 1024."),
    diskGB: int32().min(10).describe("Root disk size in GB, at least 10."),
    extraDisks: z.array(disk).optional().describe("Additional disks."),
    image: z
      .string()
      .optional()
      .describe(
        "Image for the root disk: `namespace/name` on Harvester, a UUID on Nutanix, the ID or name of a template " +
          "on Proxmox. Defaults to the image in the ProviderConfig.",
      ),
    userData: z.string().optional().describe("Cloud-init user data, for example a Talos machine configuration."),
    networkData: z
      .string()
      .optional()
      .describe("Cloud-init network configuration. If empty, the machine uses its own default network configuration."),
    labels: stringMap().optional().describe("Labels or tags for the machine on the provider."),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Creating", "Running", "Failed", "Deleting", "Deleted", "Unknown"])
      .optional()
      .describe("Current phase of the machine."),
    providerID: z.string().optional().describe("ID of the machine on the provider."),
    ipAddress: z.string().optional().describe("Primary IP address of the machine. Set once it is running."),
    ipAddresses: z.array(z.string()).optional().describe("All IP addresses of the machine, private address first."),
    macAddress: z.string().optional().describe("MAC address of the first network interface."),
    failureReason: z.string().optional().describe("Machine-readable reason for the failure, in CamelCase."),
    failureMessage: z.string().optional().describe("Human-readable message about the failure."),
    conditions: conditions("Ready", "Progressing", "Degraded"),
    lastUpdated: time().optional().describe("Time of the last status update."),
    observedGeneration: observedGeneration(),
  }),
  columns: {
    Machine: ".spec.machineName",
    Role: ".spec.role",
    Phase: ".status.phase",
    IP: ".status.ipAddress",
  },
  example: {
    metadata: { name: "management-cp-0", namespace: "butler-system" },
    spec: {
      providerRef: { name: "harvester" },
      machineName: "management-cp-0",
      role: "control-plane",
      cpu: 4,
      memoryMB: 8192,
      diskGB: 60,
      extraDisks: [{ sizeGB: 200, storageClass: "longhorn-ssd" }],
      image: "default/talos-v1.9.3",
    },
  },
});
export type MachineRequest = ObjectOf<typeof MachineRequest>;
