import { int32, listMap, quantity, withRules } from "@butler/resource";
import { parseQuantity } from "@butler/std";
import { z } from "zod";
import { mainPoolName } from "./worker-counts.ts";

const defaultCpu = 4;
const defaultMemory = "16Gi";
const defaultDiskSize = "100Gi";

/** A non-negative amount; some clients send 0 for an unset amount. */
const amount = () =>
  withRules(quantity(), {
    rule:
      "type(self) == int ? int(self) >= 0 : " +
      "!isQuantity(string(self)) || !quantity(string(self)).isLessThan(quantity('0'))",
    message: "must not be negative",
  });

const talos = z.object({
  installDisk: z.string().default("/dev/vda").describe("Disk to install Talos on. Defaults to /dev/vda."),
  installerImage: z
    .string()
    .optional()
    .describe("Talos installer image, including the tag. Defaults to the image for the schematic and version."),
  version: z.string().default("v1.9.3").describe("Talos version. Defaults to v1.9.3."),
});

const operatingSystem = z.object({
  type: z
    .enum(["rocky", "flatcar", "talos", "kairos", "bottlerocket"])
    .default("rocky")
    .describe("Operating system of the machines. Defaults to `rocky`."),
  version: z
    .string()
    .default("9.5")
    .describe("Version of the operating system. Defaults to 9.5, which is valid for Rocky Linux only."),
  imageRef: z
    .string()
    .optional()
    .describe(
      "Exact image, as named by the provider. Takes precedence over type and version. If empty, the image is selected " +
        "by type and version. On provider type local, it must be listed in " +
        "ButlerConfig.spec.localMachines.allowedImages.",
    ),
  schematicID: z
    .string()
    .optional()
    .describe(
      "Image Factory schematic. The image is synced to the provider before machines are created. Defaults to " +
        "ButlerConfig.spec.imageFactory.defaultSchematicID.",
    ),
  sshAuthorizedKey: z
    .string()
    .optional()
    .describe("SSH public key for the machines. Ignored for Talos. Defaults to ButlerConfig.spec.sshAuthorizedKey."),
  talos: talos.optional().describe("Talos settings. Used only if type is talos."),
});

const fromDefaults = "Defaults to the setting in the environment or team, or else to";

const machineTemplate = z.object({
  cpu: int32().min(1).optional().describe(`Number of CPU cores per machine. ${fromDefaults} 4.`),
  memory: amount().optional().describe(`Memory per machine. ${fromDefaults} 16Gi. 0 counts as unset.`),
  diskSize: amount().optional().describe(`Root disk size per machine. ${fromDefaults} 100Gi. 0 counts as unset.`),
  os: operatingSystem.prefault({}).describe("Operating system of the machines. Defaults to Rocky Linux."),
});

const taint = z.object({
  key: z.string().min(1).max(317).describe("Key of the taint."),
  value: z.string().max(63).optional().describe("Value of the taint."),
  effect: z
    .enum(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    .describe("Effect of the taint on pods that do not tolerate it."),
});

const nodeLabels = z.record(z.string().max(317), z.string().max(63)).optional().describe("Labels for the nodes.");
const nodeTaints = z.array(taint).max(50).optional().describe("Taints for the nodes.");

/** The worker machines of a tenant cluster. */
export const tenantClusterWorkers = z.object({
  replicas: int32().min(1).optional().describe(`Number of worker machines, at least 1. ${fromDefaults} 3.`),
  machineTemplate: machineTemplate
    .prefault({})
    .describe("Template for the machines. Defaults to 4 cores, 16Gi of memory and a 100Gi disk."),
  labels: nodeLabels,
  taints: nodeTaints,
});

const workerPool = z.object({
  name: withRules(z.string().min(1).max(20), {
    rule: `self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self != '${mainPoolName}'`,
    message: `must consist of lowercase letters, digits and '-', and must not be '${mainPoolName}', which is reserved for the pool in spec.workers`,
  }).describe("Name of the pool. Included in machine names."),
  replicas: int32().min(0).describe("Number of worker machines in the pool."),
  machineTemplate: machineTemplate
    .prefault({})
    .describe("Template for the machines. Unset fields default to the values in spec.workers."),
  labels: nodeLabels,
  taints: nodeTaints,
});

/** Additional pools of worker machines. */
export const tenantClusterWorkerPools = listMap(workerPool, "name").max(20);

/** Template of worker machines, as stored. */
export type MachineTemplate = z.output<typeof machineTemplate>;

/** Template of worker machines with all defaults resolved. */
export type EffectiveMachine = Omit<MachineTemplate, MachineSize> & {
  [size in MachineSize]: NonNullable<MachineTemplate[size]>;
};

type MachineSize = "cpu" | "memory" | "diskSize";

/**
 * The template with defaults set. A memory or disk size of 0, which Go clients send for unset fields, is
 * treated as unset.
 */
export function effectiveMachine(
  template: MachineTemplate,
  defaults: Partial<Pick<MachineTemplate, MachineSize>> = {},
): EffectiveMachine {
  const { cpu, memory, diskSize } = template;
  return {
    ...template,
    cpu: cpu ?? defaults.cpu ?? defaultCpu,
    memory: isSet(memory) ? memory : (defaults.memory ?? defaultMemory),
    diskSize: isSet(diskSize) ? diskSize : (defaults.diskSize ?? defaultDiskSize),
  };
}

function isSet(size: MachineTemplate["memory"]): size is NonNullable<MachineTemplate["memory"]> {
  return size !== undefined && parseQuantity(size) !== 0n;
}
