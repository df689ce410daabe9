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
    name: "an upgrade that changed nothing leaves what runs in order, and is tried again later",
    given: { ...installed, target: two, attempt: { ...failedUpgrade, reason: "VersionNotFound", failures: 1 } },
    want: { step: { type: "none" }, phase: "Installed", isReady: false, reason: "VersionNotFound" },
  },
  {
    name: "a failed upgrade is written down first",
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
    name: "a failed upgrade is rolled back",
    given: { target: two, revisions: [broken, good], lastGoodRevision: 1, attempt: failedUpgrade },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "a failed upgrade that nobody here has seen is taken from Helm's word",
    given: { target: two, revisions: [broken, good], lastGoodRevision: 1, attempt: anAttempt() },
    want: { step: { type: "none" }, reason: "HelmFailed" },
  },
  {
    name: "a rollback that was broken off before Helm wrote it down is done again, though what is there is well",
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
    name: "an upgrade that was broken off with its process is done again, and not held against it",
    given: {
      target: two,
      revisions: [{ ...broken, description: 'Upgrade "web" failed: context canceled' }, good],
      lastGoodRevision: 1,
      attempt: upgrade,
    },
    want: { step: start("upgrade"), phase: "Upgrading" },
  },
  {
    name: "a failed upgrade is not rolled back when that is not wanted",
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
    name: "an upgrade that was never ready is rolled back",
    given: {
      ...upgrading,
      attempt: { ...failedUpgrade, reason: "NotReady" },
      inspection: anInspection(1),
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "a rollback under way is waited for",
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
    name: "what was rolled back runs again, is not ready as wished, and is not tried again",
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
    name: "a rollback that was done and not written down is recognised",
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
    name: "what was rolled back and is not ready is degraded in the end",
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
    name: "a rollback that failed is tried again later",
    given: {
      target: two,
      revisions: [{ ...undone, status: "failed" }, broken, good],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, action: "rollback", failures: 1, finishedAt: at(-11) },
    },
    want: { step: start("rollback", 1) },
  },
  {
    name: "a rollback that was broken off goes on, instead of the upgrade",
    given: {
      target: two,
      revisions: [broken, good],
      lastGoodRevision: 1,
      attempt: { ...failedUpgrade, action: "rollback", outcome: "Running", reason: "UpgradeFailed" },
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "a rollback of what was never ready that was broken off goes on",
    given: {
      ...upgrading,
      inspection: anInspection(1),
      attempt: { ...failedUpgrade, action: "rollback", outcome: "Running", reason: "UpgradeFailed" },
    },
    want: { step: start("rollback", 1), phase: "RollingBack" },
  },
  {
    name: "a new wish after a rollback is begun at once",
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
    name: "somebody who changes the release behind our back is not fought without a pause",
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
