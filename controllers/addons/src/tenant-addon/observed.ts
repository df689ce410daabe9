import type { DependencyVerdict, WantedResult } from "@butler/addons";
import type { TenantAddon, TenantCluster } from "@butler/api";
import type { Blocker } from "@butler/resource";
import type { ReleaseCluster } from "../release/effects.ts";
import type { ReleasePlace } from "../release/read-history.ts";
import type { Observation } from "../release/observation.ts";
import type { JobView } from "../release/situation.ts";

/** The state of the cluster of an add-on. */
export type ClusterSight =
  | (Blocker & { readonly state: "missing" | "leaving" })
  | {
      readonly state: "starting" | "ready";
      readonly reason: string;
      readonly message: string;
      readonly cluster: TenantCluster;
      /** Access to the cluster; undefined before it exists. */
      readonly access: ReleaseCluster | undefined;
    };

/** Everything needed to plan an add-on of a tenant cluster. */
export interface Observed {
  readonly addon: TenantAddon;
  readonly sight: ClusterSight;
  /** Undefined without a cluster. */
  readonly wanted: WantedResult | undefined;
  /** Whether it is part of what its cluster needs, such as the network. */
  readonly isBaseline: boolean;
  readonly verdict: DependencyVerdict;
  /** The place of the release. */
  readonly place: ReleasePlace | undefined;
  /** Whether the release has to move to another place, and is uninstalled first. */
  readonly isMoving: boolean;
  /** Names of the other add-ons of the cluster by their uid. */
  readonly others: ReadonlyMap<string, string>;
  readonly job: JobView | undefined;
  /** Undefined without a release to inspect. */
  readonly observation: Observation | undefined;
  readonly graceMs: number;
  readonly unreachableMs: number;
}
