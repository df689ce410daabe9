import { describe, expect, it } from "vitest";
import {
  type Case,
  two,
  good,
  old,
  broken,
  undone,
  upgrade,
  failedUpgrade,
  installed,
  upgrading,
  start,
} from "../testing/release-cases.ts";
import { aJob, anAttempt, anInspection, aSituation, at, nowMs } from "../testing/situations.ts";
import { decideRelease } from "./decide-release.ts";

const cases: readonly Case[] = [
  // Upgrading.
  { name: "another wish is an upgrade", given: { ...installed, target: two }, want: { step: start("upgrade") } },
  {
    name: "stays installed after an upgrade that changed nothing, and retries it later",
    given: { ...installed, target: two, attempt: { ...failedUpgrade, reason: "VersionNotFound", failures: 1 } },
    want: { step: { type: "none" }, phase: "Installed", isReady: false, reason: "VersionNotFound" },
  },
  {
    name: "records a failed upgrade first",
    given: {
      target: two,
      revisions: [broken, good],
      lastGoodRevision: 1,
      attempt: upgrade,
      job: aJob({
        action: "upgrade",
        fingerprint: "two",
        state: "failed",
        startedAt: upgrade.startedAt,
        reason: "HookFailed",
        message: "a hook",
      }),
    },
    want: { step: { type: "none" }, phase: "Degraded", reason: "HookFailed" },
  },
  {
    name: "rolls back a failed upgrade",
    given: { target: two, revisions: [broken, good], lastGoodRevision: 1, attempt: failedUpgrade },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "takes an unrecorded failed upgrade from Helm's history",
    given: { target: two, revisions: [broken, good], lastGoodRevision: 1, attempt: anAttempt() },
    want: { step: { type: "none" }, reason: "HelmFailed" },
  },
  {
    name: "repeats a rollback interrupted before Helm recorded it, even if the objects are healthy",
    given: {
      target: two,
      revisions: [{ ...broken, status: "deployed", description: "Upgrade complete" }, good],
      lastGoodRevision: 1,
      attempt: { ...upgrade, action: "rollback", outcome: "Running", reason: "UpgradeFailed" },
      inspection: anInspection(3),
    },
    want: { step: start("rollback", 1), phase: "RollingBack", isReady: false },
  },
  {
    name: "repeats an upgrade interrupted with its process, without counting a failure",
    given: {
      target: two,
      revisions: [{ ...broken, description: 'Upgrade "web" failed: context canceled' }, good],
      lastGoodRevision: 1,
      attempt: upgrade,
    },
    want: { step: start("upgrade"), phase: "Upgrading" },
  },
  {
    name: "does not roll back a failed upgrade when disabled",
    given: {
      target: two,
      revisions: [broken, good],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, failures: 1 },
      switches: { ...aSituation().switches, rollsBack: false },
    },
    want: { step: { type: "none" }, phase: "Degraded", dueMs: nowMs + 9_000 },
  },
  {
    name: "rolls back an upgrade that was never ready",
    given: {
      ...upgrading,
      attempt: { ...failedUpgrade, reason: "NotReady" },
      inspection: anInspection(1),
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "waits for a running rollback",
    given: {
      target: two,
      revisions: [broken, good],
      lastGoodRevision: 1,
      attempt: failedUpgrade,
      job: aJob({ action: "rollback", fingerprint: "two" }),
    },
    want: { step: { type: "none" }, phase: "RollingBack" },
  },
  {
    name: "does not retry an upgrade that was rolled back",
    given: {
      target: two,
      revisions: [undone, broken, old],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, action: "rollback", outcome: "Running", reason: "UpgradeFailed" },
      inspection: anInspection(3),
    },
    want: {
      step: { type: "none" },
      phase: "Installed",
      reason: "UpgradeFailed",
      isReady: false,
      rolledBackTo: 1,
      lastGoodRevision: 3,
    },
  },
  {
    name: "recognizes an unrecorded rollback",
    given: {
      target: two,
      revisions: [undone, broken, old],
      lastGoodRevision: 1,
      attempt: failedUpgrade,
      inspection: anInspection(3),
    },
    want: { step: { type: "none" }, phase: "Installed", reason: "UpgradeFailed", rolledBackTo: 1 },
  },
  {
    name: "is degraded when not ready in time after a rollback",
    given: {
      target: two,
      revisions: [{ ...undone, deployedAt: at(-700) }, broken, old],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, action: "rollback", outcome: "Running", reason: "UpgradeFailed" },
      inspection: anInspection(2),
    },
    want: { step: { type: "none" }, phase: "Degraded", reason: "UpgradeFailed" },
  },
  {
    name: "retries a failed rollback later",
    given: {
      target: two,
      revisions: [{ ...undone, status: "failed" }, broken, good],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, action: "rollback", failures: 1, finishedAt: at(-11) },
    },
    want: { step: start("rollback", 1) },
  },
  {
    name: "continues an interrupted rollback instead of the upgrade",
    given: {
      target: two,
      revisions: [broken, good],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, action: "rollback", outcome: "Running", reason: "UpgradeFailed" },
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "continues an interrupted rollback of a revision that was never ready",
    given: {
      ...upgrading,
      inspection: anInspection(1),
      attempt: { ...failedUpgrade, action: "rollback", outcome: "Running", reason: "UpgradeFailed" },
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "starts a new desired state at once after a rollback",
    given: {
      target: { kind: "release", fingerprint: "three", version: undefined },
      revisions: [undone, broken, old],
      lastGoodRevision: 3,
      attempt: { ...failedUpgrade, action: "rollback", outcome: "Succeeded" },
      inspection: anInspection(3),
    },
    want: { step: start("upgrade") },
  },
  {
    name: "backs off when another client changes the release",
    given: {
      ...installed,
      target: two,
      attempt: upgrade,
      job: aJob({ action: "upgrade", fingerprint: "two", state: "succeeded", startedAt: upgrade.startedAt }),
    },
    want: { step: { type: "none" }, reason: "ChangedByAnother" },
  },
];

describe("decideRelease, about upgrades", () => {
  it.each(cases)("$name", ({ given, want }) => {
    expect(decideRelease(aSituation(given))).toMatchObject(want);
  });
});
