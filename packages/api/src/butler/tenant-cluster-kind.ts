import type { Kind } from "@butler/resource";
import { butlerGroup } from "./group.ts";

/** The TenantCluster kind, for programs that read the objects without loading their schema. */
export const tenantClusterKind: Kind = Object.freeze({
  ...butlerGroup,
  kind: "TenantCluster",
  plural: "tenantclusters",
  scope: "Namespaced",
});
