import type { Kind } from "@butler/resource";

const common = { group: "infrastructure.cluster.x-k8s.io", version: "v1alpha1", scope: "Namespaced" } as const;

/** What CAPK knows of a whole cluster. */
export const KubevirtCluster = {
  ...common,
  kind: "KubevirtCluster",
  plural: "kubevirtclusters",
} as const satisfies Kind;

/** What CAPK makes virtual machines from. */
export const KubevirtMachineTemplate = {
  ...common,
  kind: "KubevirtMachineTemplate",
  plural: "kubevirtmachinetemplates",
} as const satisfies Kind;
