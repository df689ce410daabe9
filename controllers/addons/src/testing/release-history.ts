import { decideRelease } from "../release/decide-release.ts";
import { isActive } from "../release/attempts.ts";
import type { Decision, JobView, ReleaseAction, ReleaseTarget, Revision } from "../release/situation.ts";
import { aSituation, anInspection, nowMs } from "./situations.ts";

/** An event in the life of a release. */
export type Deed =
  | { readonly type: "pass" }
  | { readonly type: "helmSucceeds" }
  | { readonly type: "helmFails"; readonly hasChanged: boolean }
  | { readonly type: "wish"; readonly number: number }
  /** The process crashes, and Helm with it, at any point. */
  | { readonly type: "crash" }
  /** The process crashes after an effect and before it records the result. */
  | { readonly type: "statusLost" }
  | { readonly type: "ready"; readonly isReady: boolean }
  | { readonly type: "time"; readonly seconds: number };

interface RunningHelm {
  readonly action: ReleaseAction;
  readonly revision: number | undefined;
  readonly fingerprint: string;
}

/** A model of a release, Helm and a process: applies the decisions while arbitrary events happen. */
export class ReleaseHistory {
  #nowMs = nowMs;
  #revisions: Revision[] = [];
  #job: JobView | undefined;
  #helm: RunningHelm | undefined;
  #status: Partial<Pick<Decision, "attempt" | "lastGoodRevision">> = {};
  #pendingSinceMs: number | undefined;
  #isReady = true;
  #target: ReleaseTarget = { kind: "release", fingerprint: "wish-1", version: undefined };
  #isStatusLost = false;
  /** Successful rollbacks since the last change of the desired state. */
  #rollbacks = 0;
  /** Whether the desired state failed and its rollback was started. */
  #isUndoing = false;
  /**
   * The desired state that the status last mentioned, and its result. One that is reverted before that is not remembered:
   * while a job for another one is still being canceled, nothing is recorded about it.
   */
  #seen = { fingerprint: "", rollbacks: 0, isUndoing: false, hasFailedWish: false };
  readonly started: ReleaseAction[] = [];
  readonly faults: string[] = [];
  last: Decision | undefined;
  /** Whether the current desired state was attempted and failed, so that it need not be deployed in the end. */
  hasFailedWish = false;

  do(deed: Deed): void {
    switch (deed.type) {
      case "pass":
        return this.#pass();
      case "helmSucceeds":
        return this.#endHelm("deployed");
      case "helmFails":
        return deed.hasChanged ? this.#endHelm("failed") : this.#endHelm(undefined);
      case "wish":
        return this.#wish(deed.number);
      case "crash":
        return this.#crash();
      case "statusLost":
        this.#isStatusLost = true;
        return this.#pass();
      case "ready":
        this.#isReady = deed.isReady;
        return;
      case "time":
        this.#nowMs += deed.seconds * 1_000;
    }
  }

  /** Requests deletion of the release. */
  remove(): void {
    this.#target = { kind: "absent", fingerprint: "absent" };
  }

  /** Lets all operations succeed until nothing changes. */
  settle(): void {
    this.#isReady = true;
    let before = "";
    for (let round = 0; round < 200; round++) {
      this.#pass();
      this.#endHelm("deployed");
      this.#pass();
      const { phase, reason, isGone, step, dueMs = 0 } = this.last ?? {};
      const now = JSON.stringify([phase, reason, isGone, this.#revisions.length]);
      const isAtRest = step?.type === "none" && this.#helm === undefined && dueMs <= this.#nowMs;
      if (now === before && isAtRest) return;
      before = now;
      this.#nowMs = Math.max(this.#nowMs + 1_000, Math.min(dueMs, this.#nowMs + 3_600_000));
    }
    this.faults.push("it does not settle");
  }

  #wish(number: number): void {
    if (this.#target.kind === "absent") return;
    const fingerprint = `wish-${number}`;
    if (fingerprint === this.#target.fingerprint) return;
    this.#target = { kind: "release", fingerprint, version: undefined };
    const isBack = fingerprint === this.#seen.fingerprint;
    this.#rollbacks = isBack ? Math.max(this.#rollbacks, this.#seen.rollbacks) : 0;
    this.#isUndoing = isBack && this.#seen.isUndoing;
    this.hasFailedWish = isBack && this.#seen.hasFailedWish;
  }

  #pass(): void {
    const [newest] = this.#revisions;
    const isPending = newest?.status.startsWith("pending-") === true || newest?.status === "uninstalling";
    this.#pendingSinceMs = isPending ? (this.#pendingSinceMs ?? this.#nowMs) : undefined;
    const decision = decideRelease(
      aSituation({
        target: this.#target,
        revisions: [...this.#revisions],
        pendingSinceMs: this.#pendingSinceMs,
        job: this.#job,
        attempt: this.#status.attempt,
        lastGoodRevision: this.#status.lastGoodRevision,
        inspection: newest === undefined ? undefined : anInspection(this.#isReady ? 3 : 1),
        nowMs: this.#nowMs,
      }),
    );
    this.last = decision;
    this.#judge(decision);
    this.#perform(decision);
    if (this.#isStatusLost) this.#crash();
    else this.#status = { attempt: decision.attempt, lastGoodRevision: decision.lastGoodRevision };
    this.#isStatusLost = false;
    const { fingerprint } = this.#target;
    if (decision.attempt !== undefined && decision.attempt.fingerprint !== fingerprint) return;
    const { hasFailedWish } = this;
    const [rollbacks, isUndoing] = [this.#rollbacks, this.#isUndoing];
    this.#seen = { fingerprint, rollbacks, isUndoing, hasFailedWish };
  }

  #judge(decision: Decision): void {
    const { phase, isReady, attempt } = decision;
    const { fingerprint } = this.#target;
    if (phase === "Installed" && !this.#isReady) this.faults.push("called Installed and is not ready");
    if (isReady && this.#revisions[0]?.fingerprint !== fingerprint) this.faults.push("Ready and is not");
    if (attempt?.outcome === "Failed" && attempt.fingerprint === fingerprint) this.hasFailedWish = true;
    this.#judgeJobs(decision);
  }

  #judgeJobs({ step }: Decision): void {
    const isForeign = isActive(this.#job) && this.#job.fingerprint !== this.#target.fingerprint;
    if (isForeign && step.type !== "cancel") this.faults.push("a job for what is not wanted goes on");
    if (step.type !== "start") return;
    if (isActive(this.#job)) this.faults.push("two jobs for one release");
    // Leftovers of an earlier desired state may be rolled back without a report about the current one.
    const hasTrace = this.#revisions.some(({ fingerprint }) => fingerprint === this.#target.fingerprint);
    if (step.action === "rollback" && hasTrace) this.#isUndoing = true;
    // If Helm has no record of it, there is nothing to roll back, and the failure is not final.
    if (this.#isUndoing && hasTrace && step.action === "upgrade")
      this.faults.push("what is to be undone is tried again");
  }

  #perform({ step, attempt }: Decision): void {
    if (step.type === "cancel") this.#endHelm("cancelled");
    if (step.type === "forget") this.#revisions = this.#revisions.filter(({ revision }) => revision !== step.revision);
    if (step.type !== "start") return;
    const { action } = step;
    this.started.push(action);
    const { fingerprint } = this.#target;
    const startedAt = attempt?.startedAt ?? "";
    this.#job = { action, fingerprint, startedAt, state: "running" };
    this.#helm = { action, revision: step.revision, fingerprint };
    this.#beginHelm(this.#helm);
  }

  #beginHelm({ action, revision, fingerprint }: RunningHelm): void {
    const [newest] = this.#revisions;
    if (action === "uninstall") {
      if (newest !== undefined) this.#revisions[0] = { ...newest, status: "uninstalling" };
      return;
    }
    const target = this.#revisions.find((each) => each.revision === revision);
    const isRollback = action === "rollback";
    const status = isRollback ? "pending-rollback" : newest === undefined ? "pending-install" : "pending-upgrade";
    this.#revisions.unshift({
      revision: (newest?.revision ?? 0) + 1,
      status,
      version: "1.0.0",
      appVersion: undefined,
      description: isRollback ? `Rollback to ${revision}` : "Preparing",
      deployedAt: new Date(this.#nowMs).toISOString(),
      fingerprint: isRollback ? target?.fingerprint : fingerprint,
      owner: "uid",
    });
  }

  /** Helm exits: with success, with a recorded failure, without any effect, or because it was stopped. */
  #endHelm(end: "deployed" | "failed" | "cancelled" | undefined): void {
    const helm = this.#helm;
    if (helm === undefined || this.#job === undefined) return;
    this.#helm = undefined;
    const [newest, ...older] = this.#revisions;
    if (end === undefined && helm.action !== "uninstall") this.#revisions = older;
    if (end === "failed" && newest !== undefined) {
      const status = helm.action === "uninstall" ? "uninstalling" : "failed";
      this.#revisions[0] = { ...newest, status };
    }
    if (end === "deployed") this.#deploy(helm);
    const endedAt = new Date(this.#nowMs).toISOString();
    const state = end === "deployed" ? "succeeded" : end === "cancelled" ? "cancelled" : "failed";
    this.#job = { ...this.#job, state, endedAt, reason: "HelmFailed", message: "helm failed" };
  }

  #deploy({ action, fingerprint }: RunningHelm): void {
    const [newest, ...older] = this.#revisions;
    if (action === "uninstall" || newest === undefined) {
      this.#revisions = [];
      return;
    }
    // A rollback that was started for an earlier desired state.
    if (action === "rollback" && fingerprint === this.#target.fingerprint) this.#rollbacks += 1;
    if (this.#rollbacks > 1) this.faults.push("undone twice");
    const replaced = older.map((each) => ({
      ...each,
      status: each.status === "deployed" ? ("superseded" as const) : each.status,
    }));
    this.#revisions = [{ ...newest, status: "deployed" }, ...replaced];
  }

  #crash(): void {
    this.#helm = undefined;
    this.#job = undefined;
    this.#pendingSinceMs = undefined;
  }
}
