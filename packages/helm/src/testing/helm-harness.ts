import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ensureTools } from "@butler/engine";
import { aTestCluster, type TestCluster } from "@butler/testkit";

const execute = promisify(execFile);

/** A cluster with a namespace, and the real helm with its own home directory, as a user has it. */
export class HelmHarness {
  readonly cluster: TestCluster;
  readonly #namespace: string;
  readonly #folder: string;
  readonly #program: string;

  private constructor(
    cluster: TestCluster,
    { namespace, folder, program }: Record<"namespace" | "folder" | "program", string>,
  ) {
    this.cluster = cluster;
    this.#namespace = namespace;
    this.#folder = folder;
    this.#program = program;
  }

  /** For `beforeAll`. */
  static async open(name: string, namespace: string): Promise<HelmHarness> {
    const { helm: program } = await ensureTools(["helm"]);
    const folder = await mkdtemp(join(tmpdir(), `${name}-`));
    const cluster = await aTestCluster();
    await cluster.createNamespace(namespace);
    return new HelmHarness(cluster, { namespace, folder, program });
  }

  /** The output of helm. */
  async helm(...args: string[]): Promise<string> {
    const places = ["CACHE", "CONFIG", "DATA"].map((kind) => [`HELM_${kind}_HOME`, join(this.#folder, kind)]);
    const env = {
      PATH: process.env["PATH"],
      HOME: this.#folder,
      ...(Object.fromEntries(places) as Record<string, string>),
    };
    const where = ["-n", this.#namespace, "--kubeconfig", this.cluster.controlPlane.kubeconfigPath];
    return (await execute(this.#program, [...args, ...where], { env })).stdout;
  }

  /** Writes a chart file by file, and returns its folder. */
  async writeChart(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const chart = join(this.#folder, name);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(chart, path)), { recursive: true });
      await writeFile(join(chart, path), text);
    }
    return chart;
  }

  /** For `afterAll`. */
  async close(): Promise<void> {
    await this.cluster.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
