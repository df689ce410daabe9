import { int32, quantity, withRules } from "@butler/resource";
import { parseQuantity } from "@butler/std";
import { z } from "zod";

const defaultMemory = "16Gi";
const defaultDiskSize = "100Gi";

/** An amount that is not negative; 0 is what some clients send for an amount they do not set. */
const amount = () =>
  withRules(quantity(), {
    rule:
      "type(self) == int ? int(self) >= 0 : " +
      "!isQuantity(string(self)) || !quantity(string(self)).isLessThan(quantity('0'))",
    message: "must not be negative",
  });

const talos = z.object({
  installDisk: z.string().default("/dev/vda").describe("Disk that Talos is installed on; /dev/vda when absent."),
  installerImage: z
    .string()
    .optional()
    .describe("Installer image with its tag; when empty, the one that fits the schematic and the version."),
  version: z.string().default("v1.9.3").describe("Version of Talos; v1.9.3 when absent."),
});

const operatingSystem = z.object({
  type: z
    .enum(["rocky", "flatcar", "talos", "kairos", "bottlerocket"])
    .default("rocky")
    .describe("Operating system of the machines; `rocky` when absent."),
  version: z
    .string()
    .default("9.5")
    .describe("Version of the operating system; 9.5 when absent, which fits Rocky Linux only."),
  imageRef: z
    .string()
    .optional()
    .describe(
      "Exact image, as the provider names it; wins over type and version. When empty, the image is found by those.",
    ),
  schematicID: z
    .string()
    .optional()
    .describe(
      "Schematic of the Image Factory; its image is brought to the provider before machines are made. When empty, " +
        "ButlerConfig.spec.imageFactory.defaultSchematicID.",
    ),
  sshAuthorizedKey: z
    .string()
    .optional()
    .describe("SSH public key for the machines, not for Talos; when empty, ButlerConfig.spec.sshAuthorizedKey."),
  talos: talos.optional().describe("Settings of Talos, for type talos; when absent their defaults apply."),
});

const machineTemplate = z.object({
  cpu: int32().min(1).default(4).describe("CPU cores of each machine; 4 when absent."),
  memory: amount().default(defaultMemory).describe("Memory of each machine; 0 counts as not set and means 16Gi."),
  diskSize: amount()
    .default(defaultDiskSize)
    .describe("Root disk of each machine; 0 counts as not set and means 100Gi."),
  os: operatingSystem.prefault({}).describe("Operating system of the machines; when absent Rocky Linux."),
});

/** The worker machines of a tenant cluster. */
export const tenantClusterWorkers = z.object({
  replicas: int32().min(1).describe("Number of worker machines; at least 1."),
  machineTemplate: machineTemplate
    .prefault({})
    .describe("What each machine is like; when absent 4 cores, 16Gi of memory and a disk of 100Gi."),
});

/** What the worker machines of a tenant cluster are like, as stored. */
export type MachineTemplate = z.output<typeof machineTemplate>;

/** The template with a memory or disk size of 0, by which Go clients say "not set", replaced by the default. */
export function effectiveMachine(template: MachineTemplate): MachineTemplate {
  return {
    ...template,
    memory: parseQuantity(template.memory) === 0n ? defaultMemory : template.memory,
    diskSize: parseQuantity(template.diskSize) === 0n ? defaultDiskSize : template.diskSize,
  };
}
