import type { Decision, ReleaseAction, ReleaseSituation } from "../release/situation.ts";
import { anAttempt, anInspection, aRevision, at } from "./situations.ts";

/** The second desired state. */
export const two = { kind: "release", fingerprint: "two", version: "2.0.0" } as const;
/** The first revision, deployed. */
export const good = aRevision();
/** The first revision, superseded. */
export const old = aRevision({ status: "superseded" });
/** The second revision, deployed by an upgrade. */
export const next = aRevision({ revision: 2, version: "2.0.0", fingerprint: "two", description: "Upgrade complete" });
/** The second revision, which failed. */
export const broken = { ...next, status: "failed", description: "Upgrade failed: a hook" } as const;
/** A third revision, a rollback to the first. */
export const undone = aRevision({ revision: 3, description: "Rollback to 1" });
/** An upgrade in progress. */
export const upgrade = anAttempt({ action: "upgrade", fingerprint: "two", outcome: "Running", revision: undefined });
/** An upgrade that failed a second ago. */
export const failedUpgrade = {
  ...upgrade,
  outcome: "Failed",
  finishedAt: at(-1),
  reason: "HookFailed",
  message: "a hook",
} as const;
/** The first desired state, installed and ready. */
export const installed = { revisions: [good], attempt: anAttempt(), lastGoodRevision: 1, inspection: anInspection(3) };
/** The second desired state, just deployed. */
export const upgrading = { target: two, revisions: [next, old], lastGoodRevision: 1, attempt: upgrade };
/** The step that starts a job. */
export const start = (action: ReleaseAction, revision?: number) => ({ type: "start", action, revision }) as const;

/** A state and the expected decision. */
export interface Case {
  readonly name: string;
  readonly given: Partial<ReleaseSituation>;
  readonly want: Partial<Decision>;
}
