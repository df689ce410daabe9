import { randomUUID } from "node:crypto";
import { labels } from "@butler/api";
import type { Performers } from "@butler/controller";
import { type ChartStore, forgetRevision, type Helm, type HelmTarget } from "@butler/helm";
import type { KubeClient } from "@butler/kube";
import { keyText } from "@butler/resource";
import { Conflict } from "@butler/std";
import type { JobShare } from "../jobs/next-job.ts";
import type { ReleaseJobs } from "../jobs/release-jobs.ts";
import { runReleaseWork } from "../jobs/run-release-work.ts";
import type { ReleaseCluster, ReleaseEffect, StartJob } from "./effects.ts";
import type { ReleaseObserver } from "./release-observer.ts";
import { fingerprintLabel, ownerLabel } from "./revisions.ts";

/** Access to clusters that have releases. */
export interface ClusterAccess {
  readonly clientFor: (cluster: ReleaseCluster, signal: AbortSignal) => Promise<KubeClient>;
  readonly targetFor: (cluster: ReleaseCluster, signal: AbortSignal) => Promise<HelmTarget>;
}

/** Ports of the release controllers, besides their caches. */
export interface ReleasePorts {
  readonly jobs: Pick<ReleaseJobs, "of" | "start" | "cancel">;
  readonly observer: Pick<ReleaseObserver, "observe" | "noteChange">;
  readonly access: ClusterAccess;
  readonly graceMs: number;
  readonly unreachableMs: number;
  readonly perform: (effect: StartJob) => void;
}

/** Dependencies of the ports. */
export interface ReleasePortOptions {
  readonly client: Pick<KubeClient, "find">;
  readonly helm: Pick<Helm, "upgradeOrInstall" | "rollback" | "uninstall">;
  readonly charts: Pick<ChartStore, "fetch">;
  readonly jobs: ReleaseJobs;
  readonly observer: ReleaseObserver;
  readonly access: ClusterAccess;
  /** Grace period for a pending revision of another process. */
  readonly graceMs: number;
  /** How often an unreachable cluster is retried. */
  readonly unreachableMs: number;
}

/** Distinguishes revisions of this process from those of others. */
const run = randomUUID();

/** How much longer than Helm a job may take: it fetches the chart first, and Helm gets time to stop. */
const slackMs = 300_000;

/** The production ports. */
export function createReleasePorts(options: ReleasePortOptions): ReleasePorts {
  const { jobs, observer, access, graceMs, unreachableMs } = options;
  return { jobs, observer, access, graceMs, unreachableMs, perform: (effect) => startJob(options, effect) };
}

function startJob({ client, helm, charts, jobs, access }: ReleasePortOptions, effect: StartJob): void {
  const { key, uid, cluster, action, fingerprint, startedAt, timeoutMs, wanted, revision, release, namespace } = effect;
  const target = (signal: AbortSignal): Promise<HelmTarget> => access.targetFor(cluster, signal);
  const marks = { [labels.helmRun]: run, [fingerprintLabel]: fingerprint, [ownerLabel]: uid };
  const work = { action, release, namespace, wanted, revision, timeoutMs, labels: marks };
  jobs.start({
    key,
    share: shareOf(effect),
    action,
    fingerprint,
    startedAt,
    timeoutMs,
    limitMs: timeoutMs + slackMs,
    run: (call) => runReleaseWork(work, { helm, charts, client, target }, call),
  });
}

/**
 * Jobs are scheduled fairly among teams and their clusters; those of the platform count as one team. An uninstall does
 * not wait for a hook of another add-on of its team that hangs: deleting add-ons is how a team gets out of that.
 */
export function shareOf({
  cluster,
  action,
  isBaseline,
}: Pick<StartJob, "cluster" | "action" | "isBaseline">): JobShare {
  if (cluster.kind === "management") return { team: "", group: "", isReserved: true };
  return { team: cluster.team, group: keyText(cluster.cluster), isReserved: isBaseline || action === "uninstall" };
}

const forgetLimitMs = 15_000;

/** Performs the effects of the release controllers. */
export const releasePerformers: Performers<ReleaseEffect, ReleasePorts> = {
  startJob: (effect, ports) => Promise.resolve(ports.perform(effect)),
  cancelJob: ({ key }, { jobs }) => Promise.resolve(jobs.cancel(key)),
  forgetRevision: async ({ key, cluster, release, namespace, revision }, { access, observer }, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(forgetLimitMs)]);
    const client = await access.clientFor(cluster, limit);
    observer.noteChange(key);
    try {
      await forgetRevision(client, { release, namespace, revision, signal: limit });
    } catch (error) {
      // Another client finished it after all: the next inspection shows the result.
      if (!(error instanceof Conflict)) throw error;
    }
  },
};
