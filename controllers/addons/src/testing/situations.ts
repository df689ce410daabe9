import type { Inspection } from "@butler/object-health";
import type { Attempt, JobView, ReleaseSituation, Revision } from "../release/situation.ts";

/** The current time in these tests. */
export const nowMs = Date.parse("2026-03-01T12:00:00.000Z");

/** A time relative to it, in seconds. */
export function at(seconds: number): string {
  return new Date(nowMs + seconds * 1_000).toISOString();
}

/** A revision that was deployed a minute ago. */
export function aRevision(traits: Partial<Revision> = {}): Revision {
  return {
    revision: 1,
    status: "deployed",
    version: "1.0.0",
    appVersion: undefined,
    description: "Install complete",
    deployedAt: at(-60),
    fingerprint: "one",
    owner: "uid",
    ...traits,
  };
}

/** A successful installation attempt. */
export function anAttempt(traits: Partial<Attempt> = {}): Attempt {
  return { action: "install", fingerprint: "one", startedAt: at(-60), outcome: "Succeeded", revision: 1, ...traits };
}

/** A running job. */
export function aJob(traits: Partial<JobView> = {}): JobView {
  return { action: "install", fingerprint: "one", startedAt: at(-5), state: "running", ...traits };
}

/** Object counts: total and ready. */
export function anInspection(ready: number, total = 3): Inspection {
  const message = "image cannot be pulled";
  const waiting = Array.from({ length: total - ready }, (_, index) => {
    return { kind: "Deployment", namespace: "web", name: `web${index}`, state: "progressing", message } as const;
  });
  return { total, ready, waiting };
}

/** A desired release that is not installed. */
export function aSituation(traits: Partial<ReleaseSituation> = {}): ReleaseSituation {
  return {
    target: { kind: "release", fingerprint: "one", version: "1.0.0" },
    revisions: [],
    pendingSinceMs: undefined,
    job: undefined,
    attempt: undefined,
    lastGoodRevision: undefined,
    inspection: undefined,
    drift: undefined,
    blocker: undefined,
    nowMs,
    ...traits,
    switches: { rollsBack: true, repairsDrift: false, timeoutMs: 600_000, graceMs: 15_000, ...traits.switches },
  };
}
