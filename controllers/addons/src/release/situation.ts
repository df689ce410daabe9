import type { TenantAddon } from "@butler/api";
import type { ReleaseStatus } from "@butler/helm";
import type { Drift, Inspection } from "@butler/object-health";
import type { Blocker } from "@butler/resource";

type AddonStatus = NonNullable<TenantAddon["status"]>;

/** The phase of an add-on. */
export type AddonPhase = NonNullable<AddonStatus["phase"]>;

/** The last action on a release, as recorded in the status. */
export type Attempt = NonNullable<AddonStatus["lastAttempt"]>;

/** Actions on a release. */
export type ReleaseAction = Attempt["action"];

/** One revision of a release, without its manifest. */
export interface Revision {
  readonly revision: number;
  readonly status: ReleaseStatus;
  readonly version: string;
  readonly appVersion: string | undefined;
  /** Kubernetes versions that the chart supports. */
  readonly kubeVersion?: string | undefined;
  readonly description: string;
  readonly deployedAt: string | undefined;
  /** The fingerprint of its inputs, from its label; Helm copies it on rollback. */
  readonly fingerprint: string | undefined;
  /** The uid of the object of the revision. */
  readonly owner: string | undefined;
}

/** What a job that has not started waits for. */
export interface JobQueue {
  /** Its team; empty for the platform. */
  readonly team: string;
  /** Its position among the waiting jobs of the team, from 1, and their number. */
  readonly position: number;
  readonly waiting: number;
  /** The places that are taken; undefined when it waits only for a CPU. */
  readonly full: { readonly of: "team" | "everyone"; readonly running: number; readonly most: number } | undefined;
}

/** The latest work of this process on a release. */
export interface JobView {
  readonly action: ReleaseAction;
  readonly fingerprint: string;
  readonly startedAt: string;
  readonly state: "waiting" | "running" | "succeeded" | "failed" | "cancelled";
  /** The timeout that it was started with. */
  readonly timeoutMs?: number | undefined;
  /** While it waits. */
  readonly queue?: JobQueue | undefined;
  /** Whether it was asked to stop, which may take a moment. */
  readonly isStopping?: boolean | undefined;
  readonly endedAt?: string | undefined;
  /** Version of the chart, once it is known. */
  readonly version?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The last output lines. */
  readonly lines?: readonly string[] | undefined;
}

/** The desired state of a release: a wanted release, an earlier revision, or absent. */
export type ReleaseTarget =
  | { readonly kind: "release"; readonly fingerprint: string; readonly version: string | undefined }
  | { readonly kind: "revision"; readonly fingerprint: string; readonly revision: number }
  | { readonly kind: "absent"; readonly fingerprint: string };

/** Why nothing new may be installed. */
export interface ReleaseBlocker extends Blocker {
  /** Whether all actions are blocked, even rollbacks. */
  readonly isTotal?: boolean | undefined;
  readonly phase: AddonPhase;
}

/** Settings for managing the release. */
export interface ReleaseSwitches {
  readonly rollsBack: boolean;
  readonly repairsDrift: boolean;
  /** Timeout until everything is ready. */
  readonly timeoutMs: number;
  /** Grace period for a pending revision of another client. */
  readonly graceMs: number;
}

/** Input of the decision about a release. */
export interface ReleaseSituation {
  readonly target: ReleaseTarget;
  /** The newest first. */
  readonly revisions: readonly Revision[];
  /** When this process first saw the newest revision as pending; in milliseconds. */
  readonly pendingSinceMs: number | undefined;
  readonly job: JobView | undefined;
  /** The last attempt in the status. */
  readonly attempt: Attempt | undefined;
  readonly lastGoodRevision: number | undefined;
  /** The state of the objects of the newest revision; undefined before the first inspection. */
  readonly inspection: Inspection | undefined;
  /** Undefined before the first drift check. */
  readonly drift: readonly Drift[] | undefined;
  readonly blocker: ReleaseBlocker | undefined;
  readonly switches: ReleaseSwitches;
  readonly nowMs: number;
}

/** The next step. */
export type ReleaseStep =
  | { readonly type: "none" }
  | { readonly type: "start"; readonly action: ReleaseAction; readonly revision?: number | undefined }
  | { readonly type: "cancel" }
  | { readonly type: "forget"; readonly revision: number };

/** The decision about a release. */
export interface Decision {
  readonly step: ReleaseStep;
  readonly phase: AddonPhase;
  /** The reason of the phase, in CamelCase. */
  readonly reason: string;
  readonly message: string;
  /** Whether it is installed, healthy and current. */
  readonly isReady: boolean;
  readonly attempt: Attempt | undefined;
  readonly lastGoodRevision: number | undefined;
  readonly rolledBackTo: number | undefined;
  /** When the next step is due, in milliseconds. */
  readonly dueMs?: number | undefined;
  /** True when the release is uninstalled. */
  readonly isGone?: boolean | undefined;
}

const nothing: ReleaseStep = { type: "none" };

/** A decision to only report the state. */
export function stay(
  situation: Pick<ReleaseSituation, "attempt" | "lastGoodRevision">,
  told: Pick<Decision, "phase" | "reason" | "message"> & Partial<Decision>,
): Decision {
  const { attempt, lastGoodRevision } = situation;
  return { step: nothing, isReady: false, attempt, lastGoodRevision, rolledBackTo: undefined, ...told };
}
