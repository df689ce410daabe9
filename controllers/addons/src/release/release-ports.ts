import { randomUUID } from "node:crypto";
import { labels } from "@butler/api";
import type { Performers } from "@butler/controller";
import { type ChartStore, forgetRevision, type Helm, type HelmTarget } from "@butler/helm";
import type { KubeClient } from "@butler/kube";
import { keyText } from "@butler/resource";
import { Conflict } from "@butler/std";
import type { ReleaseJobs } from "../jobs/release-jobs.ts";
import { runReleaseWork } from "../jobs/run-release-work.ts";
import type { ReleaseCluster, ReleaseEffect, StartJob } from "./effects.ts";
import type { ReleaseObserver } from "./release-observer.ts";
import { fingerprintLabel, ownerLabel } from "./revisions.ts";

/** The way into clusters that have releases. */
export interface ClusterAccess {
  readonly clientFor: (cluster: ReleaseCluster, signal: AbortSignal) => Promise<KubeClient>;
  readonly targetFor: (cluster: ReleaseCluster, signal: AbortSignal) => Promise<HelmTarget>;
}

/** What controllers of releases work with beside their caches. */
export interface ReleasePorts {
  readonly jobs: Pick<ReleaseJobs, "of" | "start" | "cancel">;
  readonly observer: Pick<ReleaseObserver, "observe" | "noteChange">;
  readonly access: ClusterAccess;
  readonly graceMs: number;
  readonly unreachableMs: number;
  readonly perform: (effect: StartJob) => void;
}

/** What the ports are made with. */
export interface ReleasePortOptions {
  readonly client: Pick<KubeClient, "find">;
  readonly helm: Pick<Helm, "upgradeOrInstall" | "rollback" | "uninstall">;
  readonly charts: Pick<ChartStore, "fetch">;
  readonly jobs: ReleaseJobs;
  readonly observer: ReleaseObserver;
  readonly access: ClusterAccess;
  /** How long a revision that another process is making is left alone. */
  readonly graceMs: number;
  /** How often a cluster that does not answer is tried. */
  readonly unreachableMs: number;
}

/** Tells revisions of this process from those of others. */
const run = randomUUID();

/** How much longer than Helm a job may take: there is a chart to be fetched first, and Helm gets time to end. */
const slackMs = 300_000;

/** The ports as they are in production. */
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
    group: groupOf(cluster),
    action,
    fingerprint,
    startedAt,
    limitMs: timeoutMs + slackMs,
    run: (call) => runReleaseWork(work, { helm, charts, client, target }, call),
  });
}

/** Turns are shared out among clusters. */
function groupOf(cluster: ReleaseCluster): string {
  return cluster.kind === "tenant" ? keyText(cluster.cluster) : "";
}

const forgetLimitMs = 15_000;

/** How the effects of controllers of releases are done. */
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
      // Somebody has finished it after all: the next look tells how.
      if (!(error instanceof Conflict)) throw error;
    }
  },
};
