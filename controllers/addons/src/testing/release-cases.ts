import type { Decision, ReleaseAction, ReleaseSituation } from "../release/situation.ts";
import { anAttempt, anInspection, aRevision, at } from "./situations.ts";

/** The second wish. */
export const two = { kind: "release", fingerprint: "two", version: "2.0.0" } as const;
/** The first revision, which runs. */
export const good = aRevision();
/** The first revision, after another has taken its place. */
export const old = aRevision({ status: "superseded" });
/** The second revision, which was upgraded to. */
export const next = aRevision({ revision: 2, version: "2.0.0", fingerprint: "two", description: "Upgrade complete" });
/** The second revision, which failed. */
export const broken = { ...next, status: "failed", description: "Upgrade failed: a hook" } as const;
/** A third revision, which repeats the first. */
export const undone = aRevision({ revision: 3, description: "Rollback to 1" });
/** An upgrade under way. */
export const upgrade = anAttempt({ action: "upgrade", fingerprint: "two", outcome: "Running", revision: undefined });
/** An upgrade that failed a second ago. */
export const failedUpgrade = {
  ...upgrade,
  outcome: "Failed",
  finishedAt: at(-1),
  reason: "HookFailed",
  message: "a hook",
} as const;
/** The first wish, installed and well. */
export const installed = { revisions: [good], attempt: anAttempt(), lastGoodRevision: 1, inspection: anInspection(3) };
/** The second wish, just upgraded to. */
export const upgrading = { target: two, revisions: [next, old], lastGoodRevision: 1, attempt: upgrade };
/** The step that begins some work. */
export const start = (action: ReleaseAction, revision?: number) => ({ type: "start", action, revision }) as const;

/** A situation, and what is to be decided in it. */
export interface Case {
  readonly name: string;
  readonly given: Partial<ReleaseSituation>;
  readonly want: Partial<Decision>;
}
