import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { namespaces } from "@butler/api";
import { Helm, HelmFailed, type ReleaseRequest } from "@butler/helm";
import { connect, type KubeClient, loadKubeConfig } from "@butler/kube";
import { InvalidInput } from "@butler/std";
import { explainHelm } from "./chart-errors.ts";
import { removeLeftovers } from "./chart-leftovers.ts";
import { type ProgressReport, tellProgress } from "./chart-progress.ts";

/** Where and with which options Butler's chart is installed. */
export interface InstallChartOptions {
  /** The path of the helm program. */
  readonly helm: string;
  readonly kubeconfig: string;
  readonly namespace?: string;
  /** The absolute path of the chart, a directory or a package; defaults to the one in this checkout. */
  readonly chart?: string | undefined;
  /** Whether to wait until the processes are ready; defaults to true. */
  readonly waitUntilReady?: boolean | undefined;
  /** Values that differ from the chart's defaults; see its README. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Timeout until everything is ready. */
  readonly timeoutMs?: number;
  /**
   * Age from which an unfinished installation counts as a leftover of a killed helm. Twice the wait by default; 0 if no
   * other client can be installing.
   */
  readonly leftoverAfterMs?: number;
  /** Server-side dry run: changes nothing. */
  readonly isDryRun?: boolean;
}

/** The Helm release name of Butler: a cluster has one. */
export const chartRelease = "butler";

/** The chart in this checkout. */
export const chartFolder = fileURLToPath(new URL("../../../../deploy/charts/butler", import.meta.url));

/** The values of an image: its repository with a tag or a digest. */
export function chartImageValues(image: string): { readonly image: Readonly<Record<string, string>> } {
  const [, repository, tag, digest] = /^(.+?)(?::([^:/@]+))?(?:@(sha256:[a-f0-9]{64}))?$/.exec(image) ?? [];
  if (repository === undefined || (tag === undefined && digest === undefined)) {
    throw new InvalidInput(`the image "${image}" has neither a tag nor a digest`);
  }
  return { image: { repository, ...(digest === undefined ? { tag: tag ?? "" } : { digest }) } };
}

/**
 * Installs or upgrades Butler's chart, and waits until its processes are ready. Existing objects, however they were
 * created, become part of the release. It is safe to repeat and to abort.
 */
export async function installChart(options: InstallChartOptions): Promise<void> {
  const { namespace = namespaces.system, say = () => undefined, signal, isDryRun = false } = options;
  signal?.throwIfAborted();
  const { client, close } = connect(loadKubeConfig(options.kubeconfig), { userAgent: "butler-install" });
  try {
    if (!isDryRun) await forgetKilledRuns(client, { ...options, namespace });
    say(`installing Butler's chart in the namespace ${namespace}`);
    const work = (): Promise<void> => runHelm(options);
    await (isDryRun ? work() : whileTelling(client, { namespace, say }, work));
    say(isDryRun ? "dry run: Butler's chart can be installed" : "Butler's chart is installed");
  } finally {
    await close();
  }
}

const defaultTimeoutMs = 300_000;

/** The Helm release of an installation. */
export function chartRequest({
  namespace = namespaces.system,
  chart = chartFolder,
  values = {},
  timeoutMs = defaultTimeoutMs,
  waitUntilReady = true,
  isDryRun = false,
}: InstallChartOptions): ReleaseRequest {
  return {
    release: chartRelease,
    namespace,
    createNamespace: true,
    chart,
    values,
    timeoutMs,
    historyMax: 5,
    // The chart defines its objects, including those created without it.
    takeOwnership: true,
    waitUntilReady,
    isDryRun,
  };
}

async function runHelm(options: InstallChartOptions): Promise<void> {
  const { helm: program, kubeconfig, signal = new AbortController().signal } = options;
  const request = chartRequest(options);
  try {
    await new Helm({ program }).upgradeOrInstall(request, { target: { kubeconfigFile: resolve(kubeconfig) }, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof HelmFailed ? explainHelm(error, request.namespace) : error;
  }
}

async function forgetKilledRuns(
  client: KubeClient,
  options: InstallChartOptions & { readonly namespace: string },
): Promise<void> {
  const { namespace, timeoutMs = defaultTimeoutMs, leftoverAfterMs = 2 * timeoutMs, say, signal } = options;
  const removed = await removeLeftovers(client, { namespace, release: chartRelease, leftoverAfterMs, signal });
  if (removed > 0) say?.("resuming an earlier installation that was interrupted");
}

async function whileTelling<T>(
  client: KubeClient,
  report: Omit<ProgressReport, "signal">,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const telling = tellProgress(client, { ...report, signal: over.signal });
  try {
    return await work();
  } finally {
    over.abort();
    await telling;
  }
}
