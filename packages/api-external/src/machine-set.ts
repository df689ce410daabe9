import type { Kind, KubeObject } from "@butler/resource";
import { clusterApiGroup } from "./cluster-api-names.ts";
import type { MachineSpec } from "./machine.ts";

/** One generation of the equal Machines of a MachineDeployment. */
export const MachineSet = {
  group: clusterApiGroup,
  version: "v1beta2",
  kind: "MachineSet",
  plural: "machinesets",
  scope: "Namespaced",
} as const satisfies Kind;

/** A MachineSet, as far as Butler reads it. */
export interface MachineSet extends KubeObject {
  spec: { replicas?: number | undefined; template: { spec: MachineSpec } };
}
