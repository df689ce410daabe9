import type { Kind } from "@butler/resource";

const common = { group: "infrastructure.cluster.x-k8s.io", version: "v1alpha1", scope: "Namespaced" } as const;

/** CAPK's infrastructure cluster. */
export const KubevirtCluster = {
  ...common,
  kind: "KubevirtCluster",
  plural: "kubevirtclusters",
} as const satisfies Kind;

/** CAPK's virtual machine. */
export const KubevirtMachine = {
  ...common,
  kind: "KubevirtMachine",
  plural: "kubevirtmachines",
} as const satisfies Kind;

/** CAPK's template for virtual machines. */
export const KubevirtMachineTemplate = {
  ...common,
  kind: "KubevirtMachineTemplate",
  plural: "kubevirtmachinetemplates",
} as const satisfies Kind;
