import type { Attempt, JobView, ReleaseAction, ReleaseSituation, Revision } from "./situation.ts";

/** Whether a job has not ended. */
export function isActive(job: JobView | undefined): job is JobView {
  return job?.state === "waiting" || job?.state === "running";
}

/**
 * The last attempt as far as it has come. What a job of this process says counts for more than the status, which may be
 * behind. An attempt lasts until everything is ready; that Helm is done does not end it.
 */
export function attemptNow({ job, attempt }: Pick<ReleaseSituation, "job" | "attempt">): Attempt | undefined {
  if (job === undefined) return attempt;
  const noted = attempt?.startedAt === job.startedAt ? attempt : begun(job, attempt);
  if (noted.outcome !== "Running") return noted;
  const versioned = job.version === undefined ? noted : { ...noted, version: job.version };
  switch (job.state) {
    case "failed":
      return failed(versioned, { at: job.endedAt ?? job.startedAt, reason: job.reason, message: job.message });
    case "cancelled":
      return { ...versioned, outcome: "Cancelled", finishedAt: job.endedAt, message: job.message };
    default:
      return versioned;
  }
}

/** What the status says of work that begins. */
export function begun(
  { action, fingerprint, startedAt, version }: Pick<JobView, "action" | "fingerprint" | "startedAt" | "version">,
  before: Attempt | undefined,
): Attempt {
  const isSame = before?.action === action && before.fingerprint === fingerprint;
  const failures = isSame ? before.failures : undefined;
  return {
    action,
    fingerprint,
    startedAt,
    outcome: "Running",
    version,
    ...(failures === undefined ? {} : { failures }),
  };
}

/** The attempt, which has come to nothing. */
export function failed(
  attempt: Attempt,
  { at, reason, message }: { at: string; reason: string | undefined; message: string | undefined },
): Attempt {
  return {
    ...attempt,
    outcome: "Failed",
    finishedAt: at,
    reason: reason ?? "Failed",
    message: message ?? "it failed without saying why",
    failures: (attempt.failures ?? 0) + 1,
  };
}

/** The attempt, which has led to a revision of which everything is ready. */
export function succeeded(attempt: Attempt, revision: number, nowMs: number): Attempt {
  const { reason: _reason, message: _message, failures: _failures, ...rest } = attempt;
  return { ...rest, outcome: "Succeeded", finishedAt: new Date(nowMs).toISOString(), revision };
}

/** What must have been done when a revision is there that no attempt tells of. */
export function impliedBy(
  { revision, version, deployedAt }: Revision,
  { action, fingerprint, nowMs }: { action: ReleaseAction; fingerprint: string; nowMs: number },
): Attempt {
  const startedAt = deployedAt ?? new Date(nowMs).toISOString();
  return { action, fingerprint, version, revision, startedAt, outcome: "Running" };
}

/** Whether two attempts are the same one, with the same end. */
export function isNoted(attempt: Attempt, noted: Attempt | undefined): boolean {
  return noted?.startedAt === attempt.startedAt && noted.action === attempt.action && noted.outcome === attempt.outcome;
}

const firstDelayMs = 10_000;
const longestDelayMs = 600_000;

/** When what has failed is tried again: later each time, but not later than ten minutes. */
export function retryAtMs({ finishedAt, startedAt, failures = 1 }: Attempt): number {
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(20, Math.max(0, failures - 1)));
  return Date.parse(finishedAt ?? startedAt) + delayMs;
}
