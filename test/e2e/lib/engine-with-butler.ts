import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installInEngine } from "@butler/butler/deploy";
import { LocalEngine } from "@butler/engine";
import { eventually, sharedEngine } from "@butler/testkit";
import { HostedControlPlanes } from "./hosted-control-planes.ts";
import { KubectlCalls } from "./kubectl-calls.ts";
import { TenantClusters } from "./tenant-clusters.ts";
import { tidyPlatform } from "./tidy-platform.ts";

export { canHostEngine } from "@butler/testkit";

const demoTeam = "demo-team";

/** A real engine with the whole platform, which test files use one after another. */
export class EngineWithButler {
  readonly engine: LocalEngine;
  readonly kubectl: KubectlCalls;
  readonly #folder: string;
  readonly #opened: HostedControlPlanes[] = [];

  private constructor(engine: LocalEngine, folder: string) {
    this.engine = engine;
    this.#folder = folder;
    this.kubectl = new KubectlCalls(engine.paths.kubeconfig);
  }

  /** Defines a dedicated engine; nothing is running yet, so that cleanup always works. */
  static async prepare(name: string): Promise<EngineWithButler> {
    const home = await mkdtemp(join(tmpdir(), `butler-${name}-`));
    return new EngineWithButler(new LocalEngine({ name, home: join(home, "engines") }), home);
  }

  /** The engine of that name, started with everything that Butler needs on first use. */
  static async shared(name: "platform" | "upgrades"): Promise<EngineWithButler> {
    const engine = await sharedEngine(name, installInEngine);
    return new EngineWithButler(engine, await mkdtemp(join(engine.home, "..", "files-")));
  }

  /** Starts a dedicated engine with everything that Butler needs. */
  async start(): Promise<void> {
    await this.engine.up();
    await installInEngine(this.engine);
  }

  /** A namespace for control planes. */
  async controlPlanesIn(namespace: string): Promise<HostedControlPlanes> {
    await this.kubectl.apply([{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }]);
    const { kubeconfig } = this.engine.paths;
    const controlPlanes = new HostedControlPlanes({ kubeconfig, namespace, directory: this.#folder });
    this.#opened.push(controlPlanes);
    return controlPlanes;
  }

  /** The team of the examples, ready for clusters. */
  async exampleTeam(): Promise<TenantClusters> {
    const example = fileURLToPath(new URL("../../../examples/platform.yaml", import.meta.url));
    await this.kubectl.run("apply", "-f", example);
    await this.kubectl.run("wait", `team/${demoTeam}`, "--for=condition=Ready", "--timeout=60s");
    return this.clustersOf(demoTeam);
  }

  clustersOf(team: string): TenantClusters {
    return new TenantClusters(this.kubectl, { namespace: team, directory: this.#folder });
  }

  /**
   * The setup token of the first administrator. The server creates a new one when the last administrator is deleted.
   */
  async setupToken(): Promise<string> {
    const secret = ["get", "secret", "butler-setup-token", "-n", "butler-system", "-o", "jsonpath={.data.token}"];
    const token = await eventually(() => this.kubectl.run(...secret), {
      timeoutMs: 60_000,
      intervalMs: 250,
      what: "the token for the first administrator",
    });
    return Buffer.from(token, "base64").toString();
  }

  /** The address of the engine's only node. */
  nodeAddress(): Promise<string> {
    return this.engine.nodeAddress();
  }

  /** Kills the management API server like a crash; its supervisor restarts it. */
  async crashApiServer(): Promise<void> {
    const { services } = await this.engine.state();
    const pid = services.find(({ name }) => name === "kube-apiserver")?.process?.pid;
    if (pid === undefined) throw new Error("the API server does not run");
    process.kill(pid, "SIGKILL");
  }

  /** Removes a dedicated engine completely. */
  async remove(): Promise<void> {
    await Promise.all(this.#opened.map((controlPlanes) => controlPlanes.close()));
    await this.engine.reset();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Deletes what a file has created in a shared engine, so that the next file starts with a fresh platform. */
  async leave(): Promise<void> {
    await Promise.all(this.#opened.map((controlPlanes) => controlPlanes.close()));
    await tidyPlatform(this.kubectl);
  }
}
