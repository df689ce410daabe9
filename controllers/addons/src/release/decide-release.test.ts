import { describe, expect, it } from "vitest";
import {
  type Case,
  two,
  good,
  old,
  next,
  undone,
  upgrade,
  failedUpgrade,
  installed,
  start,
} from "../testing/release-cases.ts";
import { aJob, anAttempt, anInspection, aRevision, aSituation, at, nowMs } from "../testing/situations.ts";
import { decideRelease } from "./decide-release.ts";

const cases: readonly Case[] = [
  // Installing.
  { name: "nothing there is installed", given: {}, want: { step: start("install"), phase: "Installing" } },
  {
    name: "what must wait is not begun",
    given: { hold: { phase: "WaitingForDependencies", reason: "Waiting", message: "waits for a" } },
    want: { step: { type: "none" }, phase: "WaitingForDependencies", message: "waits for a" },
  },
  {
    name: "a job that waits for its turn is waited for",
    given: { job: aJob({ state: "waiting" }) },
    want: { step: { type: "none" }, phase: "Installing", message: "is being installed as soon as other work is done" },
  },
  {
    name: "a job that runs tells how far it is",
    given: { job: aJob(), inspection: anInspection(1) },
    want: {
      phase: "Installing",
      message: "is being installed: 1 of 3 objects are ready; waiting for Deployment web/web0: image cannot be pulled",
    },
  },
  {
    name: "a job for something else is stopped",
    given: { target: two, job: aJob() },
    want: { step: { type: "cancel" }, phase: "Installing", reason: "Cancelling" },
  },
  {
    name: "a job that is being stopped is waited for",
    given: { target: two, job: aJob({ isStopping: true }) },
    want: { step: { type: "none" }, phase: "Installing", reason: "Cancelling" },
  },
  {
    name: "after a job was stopped the new wish is begun at once",
    given: { target: two, job: aJob({ state: "cancelled", endedAt: at(0) }) },
    want: { step: start("install") },
  },
  {
    name: "a failed installation is told, and written down before anything else",
    given: { job: aJob({ state: "failed", endedAt: at(-1), reason: "ChartNotFound", message: "no such chart" }) },
    want: { step: { type: "none" }, phase: "Failed", reason: "ChartNotFound" },
  },
  {
    name: "a failed installation waits before it is tried again",
    given: { attempt: anAttempt({ outcome: "Failed", finishedAt: at(-9), reason: "X", failures: 1 }) },
    want: { step: { type: "none" }, phase: "Failed", dueMs: nowMs + 1_000 },
  },
  {
    name: "a failed installation is tried again when its time has come",
    given: { attempt: anAttempt({ outcome: "Failed", finishedAt: at(-10), reason: "X", failures: 1 }) },
    want: { step: start("install"), phase: "Installing" },
  },
  {
    name: "a failed installation of something else is no reason to wait",
    given: { target: two, attempt: anAttempt({ outcome: "Failed", finishedAt: at(0), failures: 9 }) },
    want: { step: start("install") },
  },
  {
    name: "what Helm has done is not installed before it is ready",
    given: { revisions: [good], attempt: anAttempt({ outcome: "Running" }), inspection: anInspection(2) },
    want: { step: { type: "none" }, phase: "Installing", isReady: false },
  },
  {
    name: "what is ready is installed",
    given: { revisions: [good], attempt: anAttempt({ outcome: "Running" }), inspection: anInspection(3) },
    want: { phase: "Installed", isReady: true, lastGoodRevision: 1 },
  },
  {
    name: "what was never ready in time has failed",
    given: {
      revisions: [aRevision({ deployedAt: at(-601) })],
      attempt: anAttempt({ outcome: "Running", startedAt: at(-601) }),
      inspection: anInspection(2),
    },
    want: { step: { type: "none" }, reason: "NotReady" },
  },
  {
    name: "an installation that was never ready stays, and is not done again",
    given: {
      revisions: [good],
      attempt: anAttempt({ outcome: "Failed", reason: "NotReady", finishedAt: at(-9_999) }),
      inspection: anInspection(2),
    },
    want: { step: { type: "none" }, phase: "Failed", reason: "NotReady" },
  },
  {
    name: "what becomes ready late is installed after all",
    given: {
      revisions: [good],
      attempt: anAttempt({ outcome: "Failed", reason: "NotReady", finishedAt: at(-9) }),
      inspection: anInspection(3),
    },
    want: { phase: "Installed", isReady: true },
  },
  // At rest.
  { name: "what is well is left alone", given: installed, want: { step: { type: "none" }, phase: "Installed" } },
  {
    name: "what was well and is not is degraded, and nothing is undone",
    given: { ...installed, inspection: anInspection(1) },
    want: { step: { type: "none" }, phase: "Degraded", reason: "NotReady" },
  },
  {
    name: "what somebody uninstalled is installed again",
    given: { ...installed, revisions: [], inspection: undefined },
    want: { step: start("install") },
  },
  // What others have left behind.
  {
    name: "a revision that another process makes is left alone for a while",
    given: { revisions: [aRevision({ status: "pending-install" })], pendingSinceMs: nowMs - 14_000 },
    want: { step: { type: "none" }, reason: "ReleasePending", dueMs: nowMs + 1_000 },
  },
  {
    name: "a revision that nobody finishes is given up",
    given: { revisions: [aRevision({ status: "pending-install" })], pendingSinceMs: nowMs - 15_000 },
    want: { step: { type: "forget", revision: 1 }, phase: "Installing" },
  },
  {
    name: "a revision that a job of ours left behind is given up at once",
    given: {
      target: two,
      revisions: [aRevision({ status: "pending-install", deployedAt: at(-4) })],
      pendingSinceMs: nowMs,
      job: aJob({ state: "cancelled" }),
    },
    want: { step: { type: "forget", revision: 1 } },
  },
  {
    name: "an upgrade that was broken off for taking too long is rolled back",
    given: {
      target: two,
      revisions: [{ ...next, status: "pending-upgrade", deployedAt: at(-50) }, good],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, reason: "TimedOut" },
      job: aJob({ action: "upgrade", fingerprint: "two", state: "failed", startedAt: upgrade.startedAt }),
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "what is half uninstalled is cleared away first",
    given: { revisions: [aRevision({ status: "uninstalling" })] },
    want: { step: start("uninstall"), phase: "Installing" },
  },
  // Going back by hand.
  {
    name: "an earlier revision is gone back to when asked for",
    given: {
      ...installed,
      revisions: [{ ...next, fingerprint: "one" }, old],
      target: { kind: "revision", fingerprint: "revision-1", revision: 1 },
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "an earlier revision that was gone back to is as wished",
    given: {
      target: { kind: "revision", fingerprint: "revision-1", revision: 1 },
      revisions: [undone, { ...next, status: "superseded" }, old],
      attempt: anAttempt({ action: "rollback", fingerprint: "revision-1", outcome: "Running" }),
      inspection: anInspection(3),
    },
    want: { step: { type: "none" }, phase: "Installed", isReady: true, rolledBackTo: 1 },
  },
  {
    name: "a revision that does not exist cannot be gone back to",
    given: { ...installed, target: { kind: "revision", fingerprint: "revision-7", revision: 7 } },
    want: { step: { type: "none" }, phase: "Degraded", reason: "RevisionNotFound" },
  },
  {
    name: "without the wish to go back it goes forward again",
    given: {
      target: two,
      revisions: [undone, { ...next, status: "superseded" }, old],
      attempt: anAttempt({ action: "rollback", fingerprint: "revision-1" }),
      lastGoodRevision: 3,
      inspection: anInspection(3),
    },
    want: { step: start("upgrade") },
  },
  // Drift.
  {
    name: "drift is only told",
    given: { ...installed, drift: [{ kind: "Service", name: "web", message: "changed" }] },
    want: { step: { type: "none" }, phase: "Installed", isReady: true },
  },
  {
    name: "drift is put right when asked for",
    given: {
      ...installed,
      drift: [{ kind: "Service", name: "web", message: "changed" }],
      switches: { ...aSituation().switches, repairsDrift: true },
    },
    want: { step: start("repair"), phase: "Upgrading" },
  },
  {
    name: "drift that comes back is put right later each time",
    given: {
      ...installed,
      attempt: anAttempt({ action: "repair", finishedAt: at(-2), failures: 3 }),
      drift: [{ kind: "Service", name: "web", message: "changed" }],
      switches: { ...aSituation().switches, repairsDrift: true },
    },
    want: { step: { type: "none" }, phase: "Installed", dueMs: nowMs + 38_000 },
  },
  // The end.
  {
    name: "what is to go is uninstalled",
    given: { ...installed, target: { kind: "absent", fingerprint: "absent" } },
    want: { step: start("uninstall"), phase: "Deleting" },
  },
  {
    name: "work for what is to go is stopped",
    given: { target: { kind: "absent", fingerprint: "absent" }, job: aJob() },
    want: { step: { type: "cancel" }, phase: "Deleting" },
  },
  {
    name: "what is gone is gone",
    given: { target: { kind: "absent", fingerprint: "absent" } },
    want: { step: { type: "none" }, isGone: true },
  },
  {
    name: "what could not be uninstalled is tried again",
    given: {
      ...installed,
      target: { kind: "absent", fingerprint: "absent" },
      attempt: anAttempt({ action: "uninstall", fingerprint: "absent", outcome: "Failed", finishedAt: at(-1) }),
    },
    want: { step: { type: "none" }, phase: "Deleting", dueMs: nowMs + 9_000 },
  },
  {
    name: "what another helm makes is not pulled from under it at once",
    given: {
      target: { kind: "absent", fingerprint: "absent" },
      revisions: [aRevision({ status: "pending-upgrade" })],
      pendingSinceMs: nowMs - 1,
    },
    want: { step: { type: "none" }, phase: "Deleting", reason: "ReleasePending" },
  },
];

describe("decideRelease", () => {
  it.each(cases)("$name", ({ given, want }) => {
    expect(decideRelease(aSituation(given))).toMatchObject(want);
  });

  it("counts failures of the same, and forgets them with another wish", () => {
    const failed = anAttempt({ outcome: "Failed", finishedAt: at(-9_999), failures: 4 });
    expect(decideRelease(aSituation({ attempt: failed })).attempt).toMatchObject({ outcome: "Running", failures: 4 });
    const other = decideRelease(aSituation({ target: two, attempt: failed }));
    expect(other.attempt).not.toHaveProperty("failures");
  });
});
