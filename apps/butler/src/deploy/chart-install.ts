import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, type KubeClient, loadKubeConfig } from "@butler/kube";
import { InvalidInput } from "@butler/std";
import { explainHelm } from "./chart-errors.ts";
import { removeLeftovers } from "./chart-leftovers.ts";
import { type ProgressReport, tellProgress } from "./chart-progress.ts";
import { platformNamespace } from "./platform.ts";

/** Where and with what Butler's chart is installed. */
export interface InstallChartOptions {
  /** The path of the helm program. */
  readonly helm: string;
  readonly kubeconfig: string;
  readonly namespace?: string;
  /** What differs from the chart's own values; see its README. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait until everything is ready. */
  readonly timeoutMs?: number;
  /**
   * Age from which an unfinished installation counts as left over from a helm that was killed. Twice the wait by default;
   * 0 for whoever knows that nobody else is installing.
   */
  readonly leftoverAfterMs?: number;
  /** Asks the API server and changes nothing. */
  readonly isDryRun?: boolean;
}

/** The name under which Helm keeps Butler: a cluster has one. */
export const chartRelease = "butler";

/** The chart in this checkout. */
export const chartFolder = fileURLToPath(new URL("../../../../deploy/charts/butler", import.meta.url));

/** The values that name an image: by its tag or by its digest. */
export function chartImageValues(image: string): { readonly image: Readonly<Record<string, string>> } {
  const [, repository, tag, digest] = /^(.+?)(?::([^:/@]+))?(?:@(sha256:[a-f0-9]{64}))?$/.exec(image) ?? [];
  if (repository === undefined || (tag === undefined && digest === undefined)) {
    throw new InvalidInput(`the image "${image}" has neither tag nor digest`);
  }
  return { image: { repository, ...(digest === undefined ? { tag: tag ?? "" } : { digest }) } };
}

/**
 * Installs Butler's chart, or brings an installation up to date, and waits until its processes are ready. Objects that
 * are there already, however they came, become part of the release. Repeating it is safe; so is ending it.
 */
export async function installChart(options: InstallChartOptions): Promise<void> {
  const { namespace = platformNamespace, say = () => undefined, signal, isDryRun = false } = options;
  signal?.throwIfAborted();
  const { client, close } = connect(loadKubeConfig(options.kubeconfig), { userAgent: "butler-install" });
  try {
    if (!isDryRun) await forgetKilledRuns(client, { ...options, namespace });
    say(`installing Butler's chart in the namespace ${namespace}`);
    const work = (): Promise<HelmResult> => helmWithValues(options);
    const { code, complaint } = await (isDryRun ? work() : whileTelling(client, { namespace, say }, work));
    signal?.throwIfAborted();
    if (code !== 0) throw explainHelm(complaint, namespace);
    say(isDryRun ? "Butler's chart can be installed" : "Butler's chart is installed");
  } finally {
    await close();
  }
}

/** Runs helm with the values in a file that nobody else can read, for as long as helm needs it. */
async function helmWithValues(options: InstallChartOptions): Promise<HelmResult> {
  const { helm: program, values = {}, signal } = options;
  const folder = await mkdtemp(join(tmpdir(), "butler-chart-"));
  try {
    const valuesFile = join(folder, "values.json");
    await writeFile(valuesFile, JSON.stringify(values), { mode: 0o600 });
    return await runHelm({ program, args: helmArguments(options, valuesFile), folder, signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const defaultTimeoutMs = 300_000;

/** What helm is called with. */
export function helmArguments(
  { kubeconfig, namespace = platformNamespace, timeoutMs = defaultTimeoutMs, isDryRun = false }: InstallChartOptions,
  valuesFile: string,
): string[] {
  return [
    "upgrade",
    "--install",
    chartRelease,
    chartFolder,
    `--kubeconfig=${kubeconfig}`,
    `--namespace=${namespace}`,
    "--create-namespace",
    // What is in the file and nothing of an earlier installation, so that the same call always gives the same.
    "--reset-values",
    `--values=${valuesFile}`,
    // The chart says what its objects are, also those that were made without it or changed by hand.
    "--server-side=true",
    "--force-conflicts",
    "--take-ownership",
    "--history-max=5",
    ...(isDryRun ? ["--dry-run=server"] : ["--wait", `--timeout=${Math.ceil(timeoutMs / 1_000)}s`]),
  ];
}

async function forgetKilledRuns(
  client: KubeClient,
  options: InstallChartOptions & { readonly namespace: string },
): Promise<void> {
  const { namespace, timeoutMs = defaultTimeoutMs, leftoverAfterMs = 2 * timeoutMs, say, signal } = options;
  const removed = await removeLeftovers(client, { namespace, release: chartRelease, leftoverAfterMs, signal });
  if (removed > 0) say?.("an earlier installation was ended before it was done: going on from there");
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

interface HelmResult {
  readonly code: number;
  readonly complaint: string;
}

interface HelmCall {
  readonly program: string;
  readonly args: readonly string[];
  /** A folder of its own, so that nothing of the user's Helm has a say. */
  readonly folder: string;
  readonly signal: AbortSignal | undefined;
}

/** Runs helm to its end. When asked to stop, helm gets the time to write down that it did not finish. */
async function runHelm({ program, args, folder, signal }: HelmCall): Promise<HelmResult> {
  const child = spawn(program, args, { env: helmEnvironment(folder), stdio: ["ignore", "ignore", "pipe"] });
  const stop = (): void => void child.kill("SIGTERM");
  signal?.addEventListener("abort", stop, { once: true });
  const complaint: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaint.push(chunk));
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    return { code: code ?? 1, complaint: Buffer.concat(complaint).toString().trim() };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function helmEnvironment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HELM_"));
  const homes = ["HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME"].map((name) => [name, folder]);
  return Object.fromEntries([...inherited, ...homes]) as NodeJS.ProcessEnv;
}
