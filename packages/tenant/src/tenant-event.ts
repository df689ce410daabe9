import type { ObjectKey } from "@butler/resource";

/** What those who depend on tenants want to know without asking. */
export type TenantEvent =
  | { readonly type: "reachable"; readonly key: ObjectKey }
  | { readonly type: "unreachable"; readonly key: ObjectKey; readonly cause: unknown }
  /** Its kubeconfig is gone, and all connections with it. */
  | { readonly type: "gone"; readonly key: ObjectKey }
  /** Its kubeconfig has changed; `isAnotherCluster` when what was known of its objects is worth nothing any more. */
  | { readonly type: "replaced"; readonly key: ObjectKey; readonly isAnotherCluster: boolean };

/** Called for each event, in order. Must not throw and must not wait. */
export type TenantListener = (event: TenantEvent) => void;
