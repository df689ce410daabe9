import type { Kind } from "@butler/resource";
import { butlerGroup } from "./group.ts";

/** Where TenantClusters are found, for programs that read them as they are and should not wait for their schema. */
export const tenantClusterKind: Kind = Object.freeze({
  ...butlerGroup,
  kind: "TenantCluster",
  plural: "tenantclusters",
  scope: "Namespaced",
});
