import type { Inspection } from "@butler/object-health";
import type { Attempt, JobView, ReleaseSituation, Revision } from "../release/situation.ts";

/** The moment at which tests decide. */
export const nowMs = Date.parse("2026-03-01T12:00:00.000Z");

/** A moment before or after it, in seconds. */
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

/** An attempt at installing that has succeeded. */
export function anAttempt(traits: Partial<Attempt> = {}): Attempt {
  return { action: "install", fingerprint: "one", startedAt: at(-60), outcome: "Succeeded", revision: 1, ...traits };
}

/** A job that runs. */
export function aJob(traits: Partial<JobView> = {}): JobView {
  return { action: "install", fingerprint: "one", startedAt: at(-5), state: "running", ...traits };
}

/** What was made: so many objects, so many of them ready. */
export function anInspection(ready: number, total = 3): Inspection {
  const message = "image cannot be pulled";
  const waiting = Array.from({ length: total - ready }, (_, index) => {
    return { kind: "Deployment", namespace: "web", name: `web${index}`, state: "progressing", message } as const;
  });
  return { total, ready, waiting };
}

/** A release that is wanted and of which there is nothing. */
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
