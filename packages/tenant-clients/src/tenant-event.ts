import type { ObjectKey } from "@butler/resource";

/** Events of tenants. */
export type TenantEvent =
  | { readonly type: "reachable"; readonly key: ObjectKey }
  | { readonly type: "unreachable"; readonly key: ObjectKey; readonly cause: unknown }
  /** Its kubeconfig was deleted, and all connections closed. */
  | { readonly type: "gone"; readonly key: ObjectKey }
  /** Its kubeconfig has changed; `isAnotherCluster` when cached objects are no longer valid. */
  | { readonly type: "replaced"; readonly key: ObjectKey; readonly isAnotherCluster: boolean };

/** Called for each event, in order. Must not throw and must not block. */
export type TenantListener = (event: TenantEvent) => void;
