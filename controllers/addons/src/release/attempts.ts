import type { Attempt, JobView, ReleaseAction, ReleaseSituation, Revision } from "./situation.ts";

/** Whether a job has not ended. */
export function isActive(job: JobView | undefined): job is JobView {
  return job?.state === "waiting" || job?.state === "running";
}

/**
 * The current state of the last attempt. The job of this process takes precedence over the status, which may be stale. An
 * attempt lasts until everything is ready, not only until Helm has finished.
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

/** The attempt for work that starts. */
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

/** The attempt, marked as failed. */
export function failed(
  attempt: Attempt,
  { at, reason, message }: { at: string; reason: string | undefined; message: string | undefined },
): Attempt {
  return {
    ...attempt,
    outcome: "Failed",
    finishedAt: at,
    reason: reason ?? "Failed",
    message: message ?? "failed without an error message",
    failures: (attempt.failures ?? 0) + 1,
  };
}

/** The attempt, marked as succeeded with a revision that is ready. */
export function succeeded(attempt: Attempt, revision: number, nowMs: number): Attempt {
  const { reason: _reason, message: _message, failures: _failures, ...rest } = attempt;
  return { ...rest, outcome: "Succeeded", finishedAt: new Date(nowMs).toISOString(), revision };
}

/** The attempt implied by a revision that no recorded attempt explains. */
export function impliedBy(
  { revision, version, deployedAt }: Revision,
  { action, fingerprint, nowMs }: { action: ReleaseAction; fingerprint: string; nowMs: number },
): Attempt {
  const startedAt = deployedAt ?? new Date(nowMs).toISOString();
  return { action, fingerprint, version, revision, startedAt, outcome: "Running" };
}

/** Whether two attempts are the same, with the same outcome. */
export function isNoted(attempt: Attempt, noted: Attempt | undefined): boolean {
  return noted?.startedAt === attempt.startedAt && noted.action === attempt.action && noted.outcome === attempt.outcome;
}

const firstDelayMs = 10_000;
const longestDelayMs = 600_000;

/** When a failed attempt is retried: exponential backoff, at most ten minutes. */
export function retryAtMs({ finishedAt, startedAt, failures = 1 }: Attempt): number {
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(20, Math.max(0, failures - 1)));
  return Date.parse(finishedAt ?? startedAt) + delayMs;
}
