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
    name: "does not start while dependencies are pending",
    given: { blocker: { phase: "WaitingForDependencies", reason: "Waiting", message: "waits for a" } },
    want: { step: { type: "none" }, phase: "WaitingForDependencies", message: "waits for a" },
  },
  {
    name: "waits for a queued job",
    given: { job: aJob({ state: "waiting" }) },
    want: { step: { type: "none" }, phase: "Installing", message: "install is queued behind other jobs" },
  },
  {
    name: "hole 5: tells its place in the queue of its team, and what it waits for",
    given: {
      job: aJob({
        state: "waiting",
        queue: { team: "payments", position: 2, waiting: 5, full: { of: "team", running: 2, most: 2 } },
      }),
    },
    want: {
      message:
        "install is queued (position 2 of 5 for team payments): waiting for one of the 2 Helm jobs of team payments",
    },
  },
  {
    name: "hole 5: cancels a job whose timeout was shortened",
    given: { job: aJob({ timeoutMs: 86_400_000 }) },
    want: { step: { type: "cancel" }, reason: "Cancelling" },
  },
  {
    name: "lets a job run whose timeout was extended",
    given: { job: aJob({ timeoutMs: 60_000 }) },
    want: { step: { type: "none" }, phase: "Installing", reason: "Installing" },
  },
  {
    name: "hole 5: cancels a job when the release is to be uninstalled",
    given: { target: { kind: "absent", fingerprint: "absent" }, job: aJob({ timeoutMs: 86_400_000 }) },
    want: { step: { type: "cancel" }, phase: "Deleting", reason: "Cancelling" },
  },
  {
    name: "reports the progress of a running job",
    given: { job: aJob(), inspection: anInspection(1) },
    want: {
      phase: "Installing",
      message: "installing: 1 of 3 objects are ready; waiting for Deployment web/web0: image cannot be pulled",
    },
  },
  {
    name: "cancels a job for another desired state",
    given: { target: two, job: aJob() },
    want: { step: { type: "cancel" }, phase: "Installing", reason: "Cancelling" },
  },
  {
    name: "waits for a job that is being canceled",
    given: { target: two, job: aJob({ isStopping: true }) },
    want: { step: { type: "none" }, phase: "Installing", reason: "Cancelling" },
  },
  {
    name: "starts the new desired state at once after a canceled job",
    given: { target: two, job: aJob({ state: "cancelled", endedAt: at(0) }) },
    want: { step: start("install") },
  },
  {
    name: "records a failed installation in the status before anything else",
    given: { job: aJob({ state: "failed", endedAt: at(-1), reason: "ChartNotFound", message: "no such chart" }) },
    want: { step: { type: "none" }, phase: "Failed", reason: "ChartNotFound" },
  },
  {
    name: "waits before retrying a failed installation",
    given: { attempt: anAttempt({ outcome: "Failed", finishedAt: at(-9), reason: "X", failures: 1 }) },
    want: { step: { type: "none" }, phase: "Failed", dueMs: nowMs + 1_000 },
  },
  {
    name: "retries a failed installation after its backoff",
    given: { attempt: anAttempt({ outcome: "Failed", finishedAt: at(-10), reason: "X", failures: 1 }) },
    want: { step: start("install"), phase: "Installing" },
  },
  {
    name: "does not wait after a failed installation of another desired state",
    given: { target: two, attempt: anAttempt({ outcome: "Failed", finishedAt: at(0), failures: 9 }) },
    want: { step: start("install") },
  },
  {
    name: "is not installed before everything is ready",
    given: { revisions: [good], attempt: anAttempt({ outcome: "Running" }), inspection: anInspection(2) },
    want: { step: { type: "none" }, phase: "Installing", isReady: false },
  },
  {
    name: "is installed when everything is ready",
    given: { revisions: [good], attempt: anAttempt({ outcome: "Running" }), inspection: anInspection(3) },
    want: { phase: "Installed", isReady: true, lastGoodRevision: 1 },
  },
  {
    name: "fails when not ready in time",
    given: {
      revisions: [aRevision({ deployedAt: at(-601) })],
      attempt: anAttempt({ outcome: "Running", startedAt: at(-601) }),
      inspection: anInspection(2),
    },
    want: { step: { type: "none" }, reason: "NotReady" },
  },
  {
    name: "keeps an installation that was never ready, without retrying",
    given: {
      revisions: [good],
      attempt: anAttempt({ outcome: "Failed", reason: "NotReady", finishedAt: at(-9_999) }),
      inspection: anInspection(2),
    },
    want: { step: { type: "none" }, phase: "Failed", reason: "NotReady" },
  },
  {
    name: "is installed when it becomes ready late",
    given: {
      revisions: [good],
      attempt: anAttempt({ outcome: "Failed", reason: "NotReady", finishedAt: at(-9) }),
      inspection: anInspection(3),
    },
    want: { phase: "Installed", isReady: true },
  },
  // Steady state.
  { name: "leaves a healthy release alone", given: installed, want: { step: { type: "none" }, phase: "Installed" } },
  {
    name: "is degraded when it becomes unhealthy, without a rollback",
    given: { ...installed, inspection: anInspection(1) },
    want: { step: { type: "none" }, phase: "Degraded", reason: "NotReady" },
  },
  {
    name: "reinstalls a release that another client uninstalled",
    given: { ...installed, revisions: [], inspection: undefined },
    want: { step: start("install") },
  },
  // Leftovers of other clients.
  {
    name: "leaves a pending revision of another process alone for the grace period",
    given: { revisions: [aRevision({ status: "pending-install" })], pendingSinceMs: nowMs - 14_000 },
    want: { step: { type: "none" }, reason: "ReleasePending", dueMs: nowMs + 1_000 },
  },
  {
    name: "discards a pending revision after the grace period",
    given: { revisions: [aRevision({ status: "pending-install" })], pendingSinceMs: nowMs - 15_000 },
    want: { step: { type: "forget", revision: 1 }, phase: "Installing" },
  },
  {
    name: "discards a pending revision of its own job at once",
    given: {
      target: two,
      revisions: [aRevision({ status: "pending-install", deployedAt: at(-4) })],
      pendingSinceMs: nowMs,
      job: aJob({ state: "cancelled" }),
    },
    want: { step: { type: "forget", revision: 1 } },
  },
  {
    name: "rolls back an upgrade that timed out",
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
    name: "finishes a partial uninstall first",
    given: { revisions: [aRevision({ status: "uninstalling" })] },
    want: { step: start("uninstall"), phase: "Installing" },
  },
  // Manual rollback.
  {
    name: "rolls back to the revision in spec.rollbackTo",
    given: {
      ...installed,
      revisions: [{ ...next, fingerprint: "one" }, old],
      target: { kind: "revision", fingerprint: "revision-1", revision: 1 },
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "keeps the revision in spec.rollbackTo",
    given: {
      target: { kind: "revision", fingerprint: "revision-1", revision: 1 },
      revisions: [undone, { ...next, status: "superseded" }, old],
      attempt: anAttempt({ action: "rollback", fingerprint: "revision-1", outcome: "Running" }),
      inspection: anInspection(3),
    },
    want: { step: { type: "none" }, phase: "Installed", isReady: true, rolledBackTo: 1 },
  },
  {
    name: "rejects a rollback to a missing revision",
    given: { ...installed, target: { kind: "revision", fingerprint: "revision-7", revision: 7 } },
    want: { step: { type: "none" }, phase: "Degraded", reason: "RevisionNotFound" },
  },
  {
    name: "upgrades again once spec.rollbackTo is removed",
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
    name: "only reports drift by default",
    given: { ...installed, drift: [{ kind: "Service", name: "web", message: "changed" }] },
    want: { step: { type: "none" }, phase: "Installed", isReady: true },
  },
  {
    name: "reverts drift when enabled",
    given: {
      ...installed,
      drift: [{ kind: "Service", name: "web", message: "changed" }],
      switches: { ...aSituation().switches, repairsDrift: true },
    },
    want: { step: start("repair"), phase: "Upgrading" },
  },
  {
    name: "reverts recurring drift with backoff",
    given: {
      ...installed,
      attempt: anAttempt({ action: "repair", finishedAt: at(-2), failures: 3 }),
      drift: [{ kind: "Service", name: "web", message: "changed" }],
      switches: { ...aSituation().switches, repairsDrift: true },
    },
    want: { step: { type: "none" }, phase: "Installed", dueMs: nowMs + 38_000 },
  },
  // Uninstall.
  {
    name: "uninstalls a release that is no longer wanted",
    given: { ...installed, target: { kind: "absent", fingerprint: "absent" } },
    want: { step: start("uninstall"), phase: "Deleting" },
  },
  {
    name: "cancels a running job before uninstalling",
    given: { target: { kind: "absent", fingerprint: "absent" }, job: aJob() },
    want: { step: { type: "cancel" }, phase: "Deleting" },
  },
  {
    name: "is done once the release is uninstalled",
    given: { target: { kind: "absent", fingerprint: "absent" } },
    want: { step: { type: "none" }, isGone: true },
  },
  {
    name: "retries a failed uninstall",
    given: {
      ...installed,
      target: { kind: "absent", fingerprint: "absent" },
      attempt: anAttempt({ action: "uninstall", fingerprint: "absent", outcome: "Failed", finishedAt: at(-1) }),
    },
    want: { step: { type: "none" }, phase: "Deleting", dueMs: nowMs + 9_000 },
  },
  {
    name: "does not uninstall a pending revision of another client at once",
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

  it("counts failures of the same desired state, and resets them for another", () => {
    const failed = anAttempt({ outcome: "Failed", finishedAt: at(-9_999), failures: 4 });
    expect(decideRelease(aSituation({ attempt: failed })).attempt).toMatchObject({ outcome: "Running", failures: 4 });
    const other = decideRelease(aSituation({ target: two, attempt: failed }));
    expect(other.attempt).not.toHaveProperty("failures");
  });
});
