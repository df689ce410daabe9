import type { BaselineAddon } from "@butler/addons";
import type { TenantAddon } from "@butler/api";

/** Why an add-on of the cluster is not made, for a condition. */
export interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

/** An add-on that the cluster is made with, and what there is of it. */
export interface Member {
  readonly wanted: BaselineAddon;
  /** Name of its TenantAddon. */
  readonly name: string;
  readonly found: TenantAddon | undefined;
  readonly obstacle: Obstacle | undefined;
}
