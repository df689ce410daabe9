import { int32, listMap, quantity, withRules } from "@butler/resource";
import { parseQuantity } from "@butler/std";
import { z } from "zod";
import { mainPoolName } from "./worker-counts.ts";

const defaultCpu = 4;
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

const fromDefaults = "when absent the environment's, the team's, and else";

const machineTemplate = z.object({
  cpu: int32().min(1).optional().describe(`CPU cores of each machine; ${fromDefaults} 4.`),
  memory: amount().optional().describe(`Memory of each machine; ${fromDefaults} 16Gi. 0 counts as absent.`),
  diskSize: amount().optional().describe(`Root disk of each machine; ${fromDefaults} 100Gi. 0 counts as absent.`),
  os: operatingSystem.prefault({}).describe("Operating system of the machines; when absent Rocky Linux."),
});

const taint = z.object({
  key: z.string().min(1).max(317).describe("Key of the taint."),
  value: z.string().max(63).optional().describe("Value of the taint; when absent, none."),
  effect: z
    .enum(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    .describe("What happens to pods that do not tolerate the taint."),
});

const nodeLabels = z
  .record(z.string().max(317), z.string().max(63))
  .optional()
  .describe("Labels of the nodes; when absent, none of their own.");
const nodeTaints = z.array(taint).max(50).optional().describe("Taints of the nodes; when absent, none.");

/** The worker machines of a tenant cluster. */
export const tenantClusterWorkers = z.object({
  replicas: int32().min(1).optional().describe(`Number of worker machines, at least 1; ${fromDefaults} 3.`),
  machineTemplate: machineTemplate
    .prefault({})
    .describe("What each machine is like; when absent 4 cores, 16Gi of memory and a disk of 100Gi."),
  labels: nodeLabels,
  taints: nodeTaints,
});

const workerPool = z.object({
  name: withRules(z.string().min(1).max(20), {
    rule: `self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && self != '${mainPoolName}'`,
    message: `must be lower-case letters, digits and '-', and not '${mainPoolName}', which spec.workers is`,
  }).describe("Name of the pool, which is part of the names of its machines."),
  replicas: int32().min(0).describe("Number of worker machines in the pool."),
  machineTemplate: machineTemplate
    .prefault({})
    .describe("What each machine is like; what is absent is as in spec.workers."),
  labels: nodeLabels,
  taints: nodeTaints,
});

/** Further pools of worker machines. */
export const tenantClusterWorkerPools = listMap(workerPool, "name").max(20);

/** What worker machines are asked to be like, as stored. */
export type MachineTemplate = z.output<typeof machineTemplate>;

/** What worker machines are like once nothing is left open. */
export type EffectiveMachine = Omit<MachineTemplate, MachineSize> & {
  [size in MachineSize]: NonNullable<MachineTemplate[size]>;
};

type MachineSize = "cpu" | "memory" | "diskSize";

/**
 * The template with what it leaves open filled in. A memory or disk size of 0, by which Go clients say "not set", is
 * left open, too.
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
