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

/** An order for one virtual machine. */
export const MachineRequest = defineResource({
  ...butlerGroup,
  kind: "MachineRequest",
  scope: "Namespaced",
  shortNames: ["mr"],
  doc: "MachineRequest orders one virtual machine from a provider. Deleting it deletes the machine and its disks.",
  spec: z.object({
    providerRef: providerRef().describe("ProviderConfig that the machine is made with."),
    machineName: dnsLabel().describe(
      "Name of the machine on the provider, at most 63 characters; must be free in the provider's namespace or project.",
    ),
    role: z.enum(["control-plane", "worker"]).describe("What the machine is for in its cluster."),
    cpu: int32().min(1).max(128).describe("CPU cores, 1 to 128."),
    memoryMB: int32().min(1024).describe("Memory in MB, at least 1024."),
    diskGB: int32().min(10).describe("Root disk in GB, at least 10."),
    extraDisks: z.array(disk).optional().describe("Disks besides the root disk; when empty, none."),
    image: z
      .string()
      .optional()
      .describe(
        "Image of the root disk: `namespace/name` on Harvester, a UUID on Nutanix, the number or name of a template on " +
          "Proxmox; when empty, the image of the ProviderConfig.",
      ),
    userData: z
      .string()
      .optional()
      .describe("Cloud-init user data, for example a Talos machine configuration; when empty, the machine gets none."),
    networkData: z
      .string()
      .optional()
      .describe("Cloud-init network configuration; when empty, the machine configures its network by itself."),
    labels: stringMap().optional().describe("Labels or tags that the machine carries on the provider."),
  }),
  status: z.object({
    phase: z
      .enum(["Pending", "Creating", "Running", "Failed", "Deleting", "Deleted", "Unknown"])
      .optional()
      .describe("Where the machine is in its life."),
    providerID: z.string().optional().describe("Identity of the machine on the provider."),
    ipAddress: z.string().optional().describe("Address that the machine is reached at; set once it runs."),
    ipAddresses: z.array(z.string()).optional().describe("All addresses of the machine, the private one first."),
    macAddress: z.string().optional().describe("Hardware address of the first network card."),
    failureReason: z.string().optional().describe("Why the machine failed, as one CamelCase word for programs."),
    failureMessage: z.string().optional().describe("Why the machine failed, for people."),
    conditions: conditions("Ready", "Progressing", "Degraded"),
    lastUpdated: time().optional().describe("When the status was last written."),
    observedGeneration: observedGeneration(),
  }),
  columns: [
    { name: "Machine", type: "string", jsonPath: ".spec.machineName" },
    { name: "Role", type: "string", jsonPath: ".spec.role" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "IP", type: "string", jsonPath: ".status.ipAddress" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "MachineRequest",
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
