import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTools } from "@butler/engine";
import { builtinKinds } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import type { Release } from "../release.ts";
import { findReleases } from "../release-store.ts";
import { Helm, type HelmOptions } from "../run/helm.ts";
import type { HelmCall, ReleaseRequest } from "../run/requests.ts";
import { runFolderPrefix } from "../run/run-folder.ts";
import { testChartFolder } from "./pack-chart.ts";

/** No pods run in a test cluster, so hooks never finish. */
export const withoutHook = { hook: { enabled: false } };

const namespace = "shop";

/** A run that does not finish on its own. */
export interface BegunRun {
  readonly stopping: AbortController;
  /** The error it ends with. */
  readonly done: Promise<unknown>;
  /** The working helm. */
  readonly pid: number;
}

/** A cluster, a helm, and common test steps, all in the namespace `shop`. */
export class ReleaseBench {
  readonly cluster: TestCluster;
  /** Directory for run folders and test files. */
  readonly folder: string;
  readonly helm: Helm;
  readonly #program: string;

  constructor(parts: { readonly cluster: TestCluster; readonly folder: string; readonly program: string }) {
    this.cluster = parts.cluster;
    this.folder = parts.folder;
    this.#program = parts.program;
    this.helm = this.helmWith({ memoryLimitMiB: 256 });
  }

  /** Starts everything. */
  static async start(): Promise<ReleaseBench> {
    const { helm: program } = await ensureTools(["helm"]);
    const cluster = await aTestCluster();
    return new ReleaseBench({ cluster, program, folder: await mkdtemp(join(tmpdir(), "butler-release-bench-")) });
  }

  /** Stops everything. */
  async stop(): Promise<void> {
    await this.cluster.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A helm with other settings. */
  helmWith(options: Omit<HelmOptions, "program" | "folder">): Helm {
    return new Helm({ ...options, program: this.#program, folder: this.folder });
  }

  /** A call as cluster administrator. */
  call(further: Partial<HelmCall> = {}): HelmCall {
    const kubeconfig = JSON.stringify(this.cluster.controlPlane.kubeconfig);
    return { target: { kubeconfig }, signal: new AbortController().signal, ...further };
  }

  /** A release of the chart `web`, without its hook. */
  request(release: string, further: Partial<ReleaseRequest> = {}): ReleaseRequest {
    return {
      release,
      namespace,
      createNamespace: true,
      chart: testChartFolder("web"),
      values: withoutHook,
      timeoutMs: 60_000,
      ...further,
    };
  }

  /** Installs such a release. */
  install(release: string, further: Partial<ReleaseRequest> = {}, by: Partial<HelmCall> = {}): Promise<void> {
    return this.helm.upgradeOrInstall(this.request(release, further), this.call(by));
  }

  /** Starts an operation that never finishes, because its hook cannot run. */
  async begin(release: string, further: Partial<ReleaseRequest> = {}, helm = this.helm): Promise<BegunRun> {
    const stopping = new AbortController();
    const lines: string[] = [];
    const request = this.request(release, { values: {}, ...further });
    const by = this.call({ signal: stopping.signal, onLine: (line) => lines.push(line) });
    const done = helm.upgradeOrInstall(request, by).then(
      () => "it ended well",
      (error: unknown) => error,
    );
    const isWaiting = (): boolean => lines.some((line) => line.includes('msg="waiting for resource"'));
    await eventually(isWaiting, { what: () => `the wait after ${lines.join("\n")}` });
    const [name = ""] = await this.runFolders();
    const { pid } = JSON.parse(await readFile(join(this.folder, name, "child"), "utf8")) as { pid: number };
    return { stopping, done, pid };
  }

  /** All revisions in Helm's history, oldest first. */
  async history(name: string): Promise<readonly Release[]> {
    return (await findReleases(this.cluster.client, { namespace, name })).releases;
  }

  /** Their statuses. */
  async states(name: string): Promise<string[]> {
    return (await this.history(name)).map(({ status }) => status);
  }

  /** The data of a ConfigMap. */
  async dataOf(name: string): Promise<unknown> {
    const found: object = await this.cluster.client.get(builtinKinds.ConfigMap, { namespace, name });
    return "data" in found ? found.data : undefined;
  }

  /** Existing run folders. */
  async runFolders(): Promise<string[]> {
    return (await readdir(this.folder)).filter((name) => name.startsWith(runFolderPrefix));
  }
}
