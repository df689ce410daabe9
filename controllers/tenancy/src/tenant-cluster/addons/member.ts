import type { BaselineAddon } from "@butler/addons";
import type { TenantAddon } from "@butler/api";
import type { Blocker } from "@butler/resource";

/** A baseline add-on of the cluster, and its TenantAddon. */
export interface Member {
  readonly wanted: BaselineAddon;
  /** Name of its TenantAddon. */
  readonly name: string;
  readonly found: TenantAddon | undefined;
  /** Why it is not created; undefined when it is. */
  readonly blocker: Blocker | undefined;
}
