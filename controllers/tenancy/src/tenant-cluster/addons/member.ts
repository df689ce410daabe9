import type { BaselineAddon } from "@butler/addons";
import type { TenantAddon } from "@butler/api";

/** Why an add-on of the cluster is not created, for a condition. */
export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

/** A baseline add-on of the cluster, and its TenantAddon. */
export interface Member {
  readonly wanted: BaselineAddon;
  /** Name of its TenantAddon. */
  readonly name: string;
  readonly found: TenantAddon | undefined;
  readonly obstacle: Obstacle | undefined;
}
