import type { Kind, KubeObject } from "@butler/resource";
import { clusterApiGroup } from "./cluster-api-names.ts";
import type { MachineSpec } from "./machine.ts";

/** One revision of the Machines of a MachineDeployment. */
export const MachineSet = {
  group: clusterApiGroup,
  version: "v1beta2",
  kind: "MachineSet",
  plural: "machinesets",
  scope: "Namespaced",
} as const satisfies Kind;

/** The fields of a MachineSet that Butler reads. */
export interface MachineSet extends KubeObject {
  spec: { replicas?: number | undefined; template: { spec: MachineSpec } };
}
