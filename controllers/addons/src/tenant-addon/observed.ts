import type { DependencyVerdict, WantedResult } from "@butler/addons";
import type { TenantAddon, TenantCluster } from "@butler/api";
import type { ReleaseCluster } from "../release/effects.ts";
import type { ReleasePlace } from "../release/read-history.ts";
import type { Observation } from "../release/observation.ts";
import type { JobView } from "../release/situation.ts";

/** How the cluster of an add-on is. */
export type ClusterSight =
  | { readonly state: "missing" | "leaving"; readonly reason: string; readonly message: string }
  | {
      readonly state: "starting" | "ready";
      readonly reason: string;
      readonly message: string;
      readonly cluster: TenantCluster;
      /** The way into it; undefined before there is one. */
      readonly access: ReleaseCluster | undefined;
    };

/** Everything that the decision about an add-on of a tenant cluster is made from. */
export interface Observed {
  readonly addon: TenantAddon;
  readonly sight: ClusterSight;
  /** Undefined while there is no cluster to want it in. */
  readonly wanted: WantedResult | undefined;
  readonly verdict: DependencyVerdict;
  /** Where the release is, or is to be. */
  readonly place: ReleasePlace | undefined;
  /** Whether the release is to be elsewhere than it is, so that it has to go first. */
  readonly isMoving: boolean;
  /** Names of the other add-ons of the cluster by their uid. */
  readonly others: ReadonlyMap<string, string>;
  readonly job: JobView | undefined;
  /** Undefined when there is nothing to look at. */
  readonly observation: Observation | undefined;
  readonly graceMs: number;
  readonly unreachableMs: number;
}
