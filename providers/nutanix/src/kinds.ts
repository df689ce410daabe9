import type { Kind } from "@butler/resource";

const common = { group: "infrastructure.cluster.x-k8s.io", version: "v1beta1", scope: "Namespaced" } as const;

/** CAPX's infrastructure cluster. */
export const NutanixCluster = {
  ...common,
  kind: "NutanixCluster",
  plural: "nutanixclusters",
} as const satisfies Kind;

/** CAPX's virtual machine. */
export const NutanixMachine = {
  ...common,
  kind: "NutanixMachine",
  plural: "nutanixmachines",
} as const satisfies Kind;

/** CAPX's template for virtual machines. */
export const NutanixMachineTemplate = {
  ...common,
  kind: "NutanixMachineTemplate",
  plural: "nutanixmachinetemplates",
} as const satisfies Kind;
