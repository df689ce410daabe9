import type { TenantAddon } from "@butler/api";
import type { ReleaseStatus } from "@butler/helm";
import type { Drift, Inspection } from "@butler/readiness";

type AddonStatus = NonNullable<TenantAddon["status"]>;

/** Where an add-on is in its life. */
export type AddonPhase = NonNullable<AddonStatus["phase"]>;

/** What was done last to a release, as the status keeps it. */
export type Attempt = NonNullable<AddonStatus["lastAttempt"]>;

/** What can be done to a release. */
export type ReleaseAction = Attempt["action"];

/** One revision of a release, without what it made. */
export interface Revision {
  readonly revision: number;
  readonly status: ReleaseStatus;
  readonly version: string;
  readonly appVersion: string | undefined;
  /** Kubernetes versions that the chart says it works with. */
  readonly kubeVersion?: string | undefined;
  readonly description: string;
  readonly deployedAt: string | undefined;
  /** What the revision was made from, as its label says; Helm copies it when it rolls back. */
  readonly fingerprint: string | undefined;
  /** The uid of the object that the revision was made for. */
  readonly owner: string | undefined;
}

/** The latest work of this process on a release. */
export interface JobView {
  readonly action: ReleaseAction;
  readonly fingerprint: string;
  readonly startedAt: string;
  readonly state: "waiting" | "running" | "succeeded" | "failed" | "cancelled";
  /** Whether it was told to end, which may take a moment. */
  readonly isStopping?: boolean | undefined;
  readonly endedAt?: string | undefined;
  /** Version of the chart, once it is known. */
  readonly version?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The last of what was told meanwhile. */
  readonly lines?: readonly string[] | undefined;
}

/** How a release is to be: made from something, like an earlier revision, or gone. */
export type ReleaseTarget =
  | { readonly kind: "release"; readonly fingerprint: string; readonly version: string | undefined }
  | { readonly kind: "revision"; readonly fingerprint: string; readonly revision: number }
  | { readonly kind: "absent"; readonly fingerprint: string };

/** Why nothing new may be installed now. */
export interface Hold {
  /** Whether nothing at all may be done, not even undoing what failed. */
  readonly isTotal?: boolean | undefined;
  readonly phase: AddonPhase;
  readonly reason: string;
  readonly message: string;
}

/** What people have set about how the release is looked after. */
export interface ReleaseSwitches {
  readonly rollsBack: boolean;
  readonly repairsDrift: boolean;
  /** How long until everything has to be ready. */
  readonly timeoutMs: number;
  /** How long a revision that somebody else is making is left alone. */
  readonly graceMs: number;
}

/** Everything that the decision about a release is made from. */
export interface ReleaseSituation {
  readonly target: ReleaseTarget;
  /** The newest first. */
  readonly revisions: readonly Revision[];
  /** Since when this process has known of the newest revision that it is being made; in milliseconds. */
  readonly pendingSinceMs: number | undefined;
  readonly job: JobView | undefined;
  /** What the status says of the last attempt. */
  readonly attempt: Attempt | undefined;
  readonly lastGoodRevision: number | undefined;
  /** How what the newest revision made stands; undefined while nobody has looked. */
  readonly inspection: Inspection | undefined;
  /** Undefined while nobody has compared. */
  readonly drift: readonly Drift[] | undefined;
  readonly hold: Hold | undefined;
  readonly switches: ReleaseSwitches;
  readonly nowMs: number;
}

/** What is to be done now. */
export type ReleaseStep =
  | { readonly type: "none" }
  | { readonly type: "start"; readonly action: ReleaseAction; readonly revision?: number | undefined }
  | { readonly type: "cancel" }
  | { readonly type: "forget"; readonly revision: number };

/** What is decided about a release. */
export interface Decision {
  readonly step: ReleaseStep;
  readonly phase: AddonPhase;
  /** Why it is in this phase, in one word. */
  readonly reason: string;
  readonly message: string;
  /** Whether it is as it should be, in all respects. */
  readonly isReady: boolean;
  readonly attempt: Attempt | undefined;
  readonly lastGoodRevision: number | undefined;
  readonly rolledBackTo: number | undefined;
  /** When something changes by itself, in milliseconds. */
  readonly dueMs?: number | undefined;
  /** True when nothing of it is left. */
  readonly isGone?: boolean | undefined;
}

const nothing: ReleaseStep = { type: "none" };

/** A decision to do nothing but say how things stand. */
export function stay(
  situation: Pick<ReleaseSituation, "attempt" | "lastGoodRevision">,
  told: Pick<Decision, "phase" | "reason" | "message"> & Partial<Decision>,
): Decision {
  const { attempt, lastGoodRevision } = situation;
  return { step: nothing, isReady: false, attempt, lastGoodRevision, rolledBackTo: undefined, ...told };
}
