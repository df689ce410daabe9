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
import { isOutOfMemory, memoryLimit } from "./memory-limit.ts";
import { openRunFolder, type RunFolder, sweepRunFolders } from "./run-folder.ts";

/** Logs runs; the loggers of @butler/telemetry fit. */
export interface HelmLogger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The helm program and its limits. */
export interface HelmOptions {
  /** The path of the program, or its name on the search path. */
  readonly program: string;
  readonly logger?: HelmLogger | undefined;
  /** Soft memory limit of helm: beyond it, garbage collection runs more often. */
  readonly memoryLimitMiB?: number | undefined;
  /** Hard memory limit of helm: it ends when it needs more. */
  readonly mostMemoryMiB?: number | undefined;
  /** Whether helm runs at lower priority, so that the process that started it stays responsive. */
  readonly givesWay?: boolean | undefined;
  /** Where the folders of runs are made. */
  readonly folder?: string | undefined;
  /** How long helm has to record its result after SIGTERM. */
  readonly graceMs?: number | undefined;
  /** How much longer than its own timeout, which applies to each hook, a run may take in total. */
  readonly slackMs?: number | undefined;
}

interface Run {
  readonly name: ReleaseName;
  /** The action, as in "installing". */
  readonly action: string;
  readonly args: (files: RunFiles) => string[];
  readonly values?: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly isOutputKept?: boolean;
}

const templateTimeoutMs = 60_000;
/** Output lines kept for the final error. */
const keptLines = 400;

/**
 * Runs the helm program. Each run has its own folder, environment and home directories; credentials and values are only in
 * files there, never on a command line or in an environment. Waits for workloads only with `waitUntilReady`.
 *
 * A run ends with this process in a container, where the kernel ends all processes with the first one. Elsewhere a helm
 * whose parent is killed ends with its next line of output, which no process reads, or when a hook times out; the next
 * process that uses Helm on the machine also ends it, and removes the folder. It leaves a pending revision (see
 * `forgetRevision`).
 */
export class Helm {
  readonly #options: HelmOptions;
  readonly #parent: string;
  #swept: Promise<unknown> | undefined;

  constructor(options: HelmOptions) {
    this.#options = options;
    this.#parent = options.folder ?? tmpdir();
  }

  /** Installs or upgrades a release. Waits for its hooks; see `waitUntilReady` for workloads. */
  async upgradeOrInstall(request: ReleaseRequest, call: HelmCall): Promise<void> {
    const { values, timeoutMs } = request;
    const args = (files: RunFiles): string[] => upgradeArguments(request, files);
    await this.#run({ name: request, action: "installing", args, values, timeoutMs }, call);
  }

  /** Rolls back to an earlier revision. When canceled, helm ends at once and leaves a pending revision. */
  async rollback(request: RollbackRequest, call: HelmCall): Promise<void> {
    const { timeoutMs, revision } = request;
    const args = (files: RunFiles): string[] => rollbackArguments(request, files);
    await this.#run({ name: request, action: `rolling back to revision ${revision} of`, args, timeoutMs }, call);
  }

  /**
   * Uninstalls a release; a missing one is ignored. When canceled, helm ends at once and leaves the release
   * "uninstalling"; the same call continues from there.
   */
  async uninstall(request: UninstallRequest, call: HelmCall): Promise<void> {
    const { timeoutMs } = request;
    const args = (files: RunFiles): string[] => uninstallArguments(request, files);
    try {
      await this.#run({ name: request, action: "uninstalling", args, timeoutMs }, call);
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
    const { program, logger, memoryLimitMiB, mostMemoryMiB, graceMs = 10_000, slackMs = 30_000 } = this.#options;
    const { givesWay = false } = this.#options;
    const { name, timeoutMs, isOutputKept = false } = run;
    const { kubeconfig, signal, onLine } = call;
    const { release, namespace } = name;
    const redact = redactorOf(run, kubeconfig);
    const heard = new Heard();
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
      memory: memoryLimit(mostMemoryMiB),
      signal,
      limitMs: timeoutMs + slackMs,
      graceMs,
      isOutputKept,
      onStart: (pid) => void folder.noteChild(pid).catch(() => undefined),
      onLine: (line) => {
        if (heard.add(line)) onLine?.(redact(line));
      },
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const { code, isOutputCut } = exit;
    logger?.debug("helm exited", { release, namespace, action: run.action, code, signal: exit.signal, seconds });
    if (code === 0 && !isOutputCut) return exit.output;
    if (heard.isStarved || exit.endedBecause === "too large") throw this.#starved(run);
    throw this.#failure(run, failureOf(exit, complaintOf(heard.lines.map(redact)), signal));
  }

  #starved(run: Pick<Run, "action" | "name">): HelmFailed {
    const { mostMemoryMiB } = this.#options;
    const text = mostMemoryMiB === undefined ? "" : `its limit is ${mostMemoryMiB} MiB`;
    return this.#failure(run, { reason: "OutOfMemory", text });
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

/** The lines that helm has written. */
class Heard {
  readonly lines: string[] = [];
  /** Whether it has said that it has no memory left. */
  isStarved = false;

  /** Adds a line; returns whether it was added. After a lack of memory, only the stacks of all threads follow. */
  add(line: string): boolean {
    this.isStarved ||= isOutOfMemory(line);
    if (this.isStarved) return false;
    this.lines.push(line);
    if (this.lines.length > keptLines) this.lines.shift();
    return true;
  }
}

interface Failure {
  readonly reason: HelmFailureReason;
  readonly text: string;
  readonly cause?: unknown;
}

const endings: Partial<Record<HelmFailureReason, string>> = {
  Cancelled: "was canceled",
  TimedOut: "timed out",
  Killed: "was interrupted because helm was killed",
  OutOfMemory: "failed because helm needed too much memory",
};

function failureOf(exit: HelmExit, text: string, signal: AbortSignal | undefined): Failure {
  if (exit.endedBecause === "cancelled") return { reason: "Cancelled", text: "", cause: signal?.reason };
  if (exit.endedBecause === "too late") return { reason: "TimedOut", text };
  if (exit.signal !== null) return { reason: "Killed", text: `by ${exit.signal}` };
  if (exit.isOutputCut) return { reason: "ChartInvalid", text: "the output is too large" };
  return { reason: reasonOf(text), text };
}

interface ReadKubeconfig {
  readonly text?: string;
  readonly file?: string;
  readonly credentials: readonly string[];
}

function redactorOf({ name, values = {} }: Pick<Run, "name" | "values">, kubeconfig: ReadKubeconfig | undefined) {
  return redactor({ values, credentials: kubeconfig?.credentials, plain: [name.release, name.namespace] });
}

function kubeconfigOf(target: HelmTarget): ReadKubeconfig {
  if ("kubeconfigFile" in target) return { file: target.kubeconfigFile, credentials: [] };
  const config = readTenantKubeconfig(target.kubeconfig);
  const user = config.getCurrentUser();
  const credentials = [user?.token, user?.keyData].filter((word) => typeof word === "string");
  return { text: config.exportConfig(), credentials };
}
