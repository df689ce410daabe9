import { tmpdir } from "node:os";
import { readTenantKubeconfig } from "@butler/kube";
import {
  rollbackArguments,
  type RunFiles,
  templateArguments,
  uninstallArguments,
  upgradeArguments,
} from "./arguments.ts";
import { helmEnvironment } from "./environment.ts";
import { complaintOf, reasonOf } from "./helm-complaints.ts";
import { HelmFailed, type HelmFailureReason } from "./helm-failed.ts";
import { type HelmExit, runHelmProcess } from "./helm-process.ts";
import { runHelmApart } from "./run-apart.ts";
import { redactor } from "./redaction.ts";
import type {
  HelmCall,
  HelmTarget,
  ReleaseName,
  ReleaseRequest,
  RollbackRequest,
  TemplateRequest,
  UninstallRequest,
} from "./requests.ts";
import { openRunFolder, type RunFolder, sweepRunFolders } from "./run-folder.ts";

/** Hears of runs; the loggers of @butler/telemetry fit. */
export interface HelmLogger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Which helm runs, and how much it may take. */
export interface HelmOptions {
  /** The path of the program, or its name on the search path. */
  readonly program: string;
  readonly logger?: HelmLogger | undefined;
  /** From when on helm would rather be slow than take more memory. */
  readonly memoryLimitMiB?: number | undefined;
  /** Whether helm gives way to others, such as the process that started it and has to go on answering. */
  readonly givesWay?: boolean | undefined;
  /** Where the folders of runs are made. */
  readonly folder?: string | undefined;
  /** How long helm has to write down what it did once it is told to end. */
  readonly graceMs?: number | undefined;
  /** How much longer than its own time limit, which counts for each hook by itself, a run may take in all. */
  readonly slackMs?: number | undefined;
}

interface Run {
  readonly name: ReleaseName;
  /** What is being done, as in "the upgrade of ...". */
  readonly action: string;
  readonly args: (files: RunFiles) => string[];
  readonly values?: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly isOutputKept?: boolean;
}

const templateTimeoutMs = 60_000;
/** Lines of helm's that are kept for what it says at the end. */
const keptLines = 400;

/**
 * The real helm, as a port. Each run has a folder, an environment and homes of its own; credentials and values are only
 * in files there, never on a command line or in an environment. It does not wait for workloads unless it is told to.
 *
 * A run ends with this process in a container, where the kernel ends all when the first process does. Elsewhere a helm
 * whose parent is killed ends with its next word, as nobody reads that any more, or when its time limit for a hook is
 * over; the next process that uses Helm on the machine ends it too, and removes the folder. What it leaves is a pending
 * revision (see `forgetRevision`).
 */
export class Helm {
  readonly #options: HelmOptions;
  readonly #parent: string;
  #swept: Promise<unknown> | undefined;

  constructor(options: HelmOptions) {
    this.#options = options;
    this.#parent = options.folder ?? tmpdir();
  }

  /** Installs a release, or brings it up to date. Its hooks are waited for; see `waitUntilReady` for the rest. */
  async upgradeOrInstall(request: ReleaseRequest, call: HelmCall): Promise<void> {
    const { values, timeoutMs } = request;
    const args = (files: RunFiles): string[] => upgradeArguments(request, files);
    await this.#run({ name: request, action: "installing", args, values, timeoutMs }, call);
  }

  /** Returns to an earlier revision. Cancelled, helm ends at once and leaves a pending revision. */
  async rollback(request: RollbackRequest, call: HelmCall): Promise<void> {
    const { timeoutMs, revision } = request;
    const args = (files: RunFiles): string[] => rollbackArguments(request, files);
    await this.#run({ name: request, action: `returning to revision ${revision} of`, args, timeoutMs }, call);
  }

  /**
   * Removes a release and its objects; one that is gone already is fine. Cancelled, helm ends at once and leaves a release
   * that is "uninstalling"; the same call goes on from there.
   */
  async uninstall(request: UninstallRequest, call: HelmCall): Promise<void> {
    const { timeoutMs } = request;
    const args = (files: RunFiles): string[] => uninstallArguments(request, files);
    try {
      await this.#run({ name: request, action: "removing", args, timeoutMs }, call);
    } catch (error) {
      if (!(error instanceof HelmFailed && /release: not found/.test(error.message))) throw error;
    }
  }

  /** Renders a chart without a cluster, as the manifest of a release has it. */
  async template(request: TemplateRequest, call: Partial<HelmCall> = {}): Promise<string> {
    const { values } = request;
    const args = (files: RunFiles): string[] => templateArguments(request, files);
    const run = { name: request, action: "rendering", args, values, timeoutMs: templateTimeoutMs, isOutputKept: true };
    return this.#run(run, call);
  }

  async #run(run: Run, call: Partial<HelmCall>): Promise<string> {
    if (call.signal?.aborted) throw this.#failure(run, { reason: "Cancelled", text: "", cause: call.signal.reason });
    const kubeconfig = call.target === undefined ? undefined : kubeconfigOf(call.target);
    await this.#sweepOnce();
    const folder = await openRunFolder(this.#parent);
    try {
      const files = {
        kubeconfig: kubeconfig?.file ?? (await folder.write("kubeconfig", kubeconfig?.text ?? "")),
        values: await folder.write("values.json", JSON.stringify(run.values ?? {})),
      };
      return await this.#runIn(folder, { ...run, args: () => run.args(files) }, { ...call, kubeconfig });
    } finally {
      await folder.remove();
    }
  }

  async #runIn(
    folder: RunFolder,
    run: Omit<Run, "args"> & { readonly args: () => string[] },
    call: Partial<HelmCall> & { readonly kubeconfig: ReadKubeconfig | undefined },
  ): Promise<string> {
    const { program, logger, memoryLimitMiB, graceMs = 10_000, slackMs = 30_000, givesWay = false } = this.#options;
    const { name, values = {}, timeoutMs, isOutputKept = false } = run;
    const { kubeconfig, signal, onLine } = call;
    const { release, namespace } = name;
    const redact = redactor({ values, credentials: kubeconfig?.credentials, told: [release, namespace] });
    const lines: string[] = [];
    const startedMs = performance.now();
    const exit = await (givesWay ? runHelmApart : runHelmProcess)({
      program,
      args: run.args(),
      environment: helmEnvironment({
        folder: folder.path,
        memoryLimitMiB,
        givesWay,
        own: process.env,
        isOwnKept: kubeconfig?.file !== undefined,
      }),
      folder: folder.path,
      signal,
      limitMs: timeoutMs + slackMs,
      graceMs,
      isOutputKept,
      onStart: (pid) => void folder.noteChild(pid).catch(() => undefined),
      onLine: (line) => {
        lines.push(line);
        if (lines.length > keptLines) lines.shift();
        onLine?.(redact(line));
      },
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const { code, isOutputCut } = exit;
    logger?.debug("helm ended", { release, namespace, action: run.action, code, signal: exit.signal, seconds });
    if (code === 0 && !isOutputCut) return exit.output;
    throw this.#failure(run, failureOf(exit, complaintOf(lines.map(redact)), signal));
  }

  #failure({ action, name }: Pick<Run, "action" | "name">, { reason, text, cause }: Failure): HelmFailed {
    const what = `${action} the release ${name.release} in ${name.namespace}`;
    const end = endings[reason] ?? "failed";
    return new HelmFailed(`${what} ${end}${text === "" ? "" : `: ${text}`}`, { reason, cause });
  }

  async #sweepOnce(): Promise<void> {
    this.#swept ??= sweepRunFolders(this.#parent).catch(() => undefined);
    await this.#swept;
  }
}

interface Failure {
  readonly reason: HelmFailureReason;
  readonly text: string;
  readonly cause?: unknown;
}

const endings: Partial<Record<HelmFailureReason, string>> = {
  Cancelled: "was cancelled",
  TimedOut: "took too long",
  Killed: "was broken off, as helm was ended from outside",
};

function failureOf(exit: HelmExit, text: string, signal: AbortSignal | undefined): Failure {
  if (exit.toldToEnd === "cancelled") return { reason: "Cancelled", text: "", cause: signal?.reason };
  if (exit.toldToEnd === "too late") return { reason: "TimedOut", text };
  if (exit.signal !== null) return { reason: "Killed", text: `by ${exit.signal}` };
  if (exit.isOutputCut) return { reason: "ChartInvalid", text: "there is more output than can be kept" };
  return { reason: reasonOf(text), text };
}

interface ReadKubeconfig {
  readonly text?: string;
  readonly file?: string;
  readonly credentials: readonly string[];
}

function kubeconfigOf(target: HelmTarget): ReadKubeconfig {
  if ("kubeconfigFile" in target) return { file: target.kubeconfigFile, credentials: [] };
  const config = readTenantKubeconfig(target.kubeconfig);
  const user = config.getCurrentUser();
  const credentials = [user?.token, user?.keyData].filter((word) => typeof word === "string");
  return { text: config.exportConfig(), credentials };
}
