import type { WantedRelease } from "@butler/addons";
import type { ObjectKey } from "@butler/resource";
import type { ReleasePlace } from "./read-history.ts";
import type { ReleaseAction } from "./situation.ts";

/** Which cluster a release is in. */
export type ReleaseCluster =
  | {
      readonly kind: "tenant";
      /** The TenantCluster. */
      readonly cluster: ObjectKey;
      /** The team whose cluster it is. */
      readonly team: string;
      /** The Secret with the kubeconfig that leads to it. */
      readonly kubeconfig: ObjectKey;
    }
  | { readonly kind: "management" };

/** Starts work on a release outside the reconcile loop. */
export interface StartJob extends ReleasePlace {
  readonly type: "startJob";
  /** The object of the release. */
  readonly key: string;
  readonly uid: string;
  readonly cluster: ReleaseCluster;
  readonly action: ReleaseAction;
  readonly fingerprint: string;
  readonly startedAt: string;
  readonly timeoutMs: number;
  /** Whether it is for a baseline add-on, which has places of its own. */
  readonly isBaseline: boolean;
  readonly wanted: WantedRelease | undefined;
  readonly revision: number | undefined;
}

/** Cancels the job of an object. */
export interface CancelJob {
  readonly type: "cancelJob";
  readonly key: string;
}

/** Removes the record of a revision that will not be finished. */
export interface ForgetRevision extends ReleasePlace {
  readonly type: "forgetRevision";
  readonly key: string;
  readonly cluster: ReleaseCluster;
  readonly revision: number;
}

export type ReleaseEffect = StartJob | CancelJob | ForgetRevision;
