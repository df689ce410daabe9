import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installInEngine } from "@butler/butler/deploy";
import { LocalEngine } from "@butler/engine";
import { HostedControlPlanes } from "./hosted-control-planes.ts";
import { KubectlCalls } from "./kubectl-calls.ts";
import { TenantClusters } from "./tenant-clusters.ts";

/** Whether this machine can host an engine at all. */
export const canHostEngine = process.platform === "linux" && process.getuid?.() === 0;

/** A real engine of a test's own with the whole platform in it. */
export class EngineWithButler {
  readonly engine: LocalEngine;
  readonly kubectl: KubectlCalls;
  readonly #home: string;
  readonly #opened: HostedControlPlanes[] = [];

  private constructor(name: string, home: string) {
    this.#home = home;
    this.engine = new LocalEngine({ name, home: join(home, "engines") });
    this.kubectl = new KubectlCalls(this.engine.paths.kubeconfig);
  }

  /** Names the engine; nothing runs yet, so that what follows can always be removed. */
  static async prepare(name: string): Promise<EngineWithButler> {
    return new EngineWithButler(name, await mkdtemp(join(tmpdir(), `butler-${name}-`)));
  }

  /** Brings it up with everything that Butler needs. */
  async start(): Promise<void> {
    await this.engine.up();
    await installInEngine(this.engine);
  }

  /** A namespace for control planes. */
  async controlPlanesIn(namespace: string): Promise<HostedControlPlanes> {
    await this.kubectl.apply([{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }]);
    const { kubeconfig } = this.engine.paths;
    const controlPlanes = new HostedControlPlanes({ kubeconfig, namespace, directory: this.#home });
    this.#opened.push(controlPlanes);
    return controlPlanes;
  }

  /** The team of the examples, ready to have clusters. */
  async exampleTeam(): Promise<TenantClusters> {
    const namespace = "demo-team";
    const example = fileURLToPath(new URL("../../../examples/platform.yaml", import.meta.url));
    await this.kubectl.run("apply", "-f", example);
    await this.kubectl.run("wait", `team/${namespace}`, "--for=condition=Ready", "--timeout=60s");
    return new TenantClusters(this.kubectl, { namespace, directory: this.#home });
  }

  /** The address of the engine's only node. */
  nodeAddress(): Promise<string> {
    return this.engine.nodeAddress();
  }

  /** Ends the management API server as a crash would; its supervisor starts it again. */
  async crashApiServer(): Promise<void> {
    const { services } = await this.engine.state();
    const pid = services.find(({ name }) => name === "kube-apiserver")?.process?.pid;
    if (pid === undefined) throw new Error("the API server does not run");
    process.kill(pid, "SIGKILL");
  }

  /** Ends everything and leaves no trace. */
  async remove(): Promise<void> {
    await Promise.all(this.#opened.map((controlPlanes) => controlPlanes.close()));
    await this.engine.reset();
    await rm(this.#home, { recursive: true, force: true });
  }
}
