import type { Kind } from "@butler/resource";

const common = { group: "infrastructure.cluster.x-k8s.io", version: "v1beta1", scope: "Namespaced" } as const;

/** What CAPX knows of a whole cluster. */
export const NutanixCluster = {
  ...common,
  kind: "NutanixCluster",
  plural: "nutanixclusters",
} as const satisfies Kind;

/** What CAPX makes virtual machines from. */
export const NutanixMachineTemplate = {
  ...common,
  kind: "NutanixMachineTemplate",
  plural: "nutanixmachinetemplates",
} as const satisfies Kind;
