import {
  ButlerConfig,
  DataStore,
  LocalMachine,
  ProviderConfig,
  StewardControlPlane,
  Team,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { apiVersionOf, type DynamicObject, type Kind, type ObjectMeta } from "@butler/resource";
import { startTestCluster, type TestCluster } from "@butler/testkit";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import {
  type Run,
  runAtTerminal,
  runButlerctl,
  type RunningCommand,
  type RunOptions,
  startButlerctl,
} from "./run-butlerctl.ts";
import { installClusterApiStandIns } from "./stand-in-crds.ts";

/** A real API server with a team in it, and the real command line against it. */
export class Desk {
  readonly #name: string;
  readonly #running = new Set<RunningCommand>();
  #cluster: TestCluster | undefined;
  #directory = "";

  constructor(name: string) {
    this.#name = name;
  }

  get cluster(): TestCluster {
    if (this.#cluster === undefined) throw new Error("the cluster has not been started");
    return this.#cluster;
  }

  get kubeconfig(): string {
    return this.cluster.controlPlane.kubeconfigPath;
  }

  /** A path for a file of the test. */
  file(name: string): string {
    return join(this.#directory, name);
  }

  /** Runs a command line, whose words have no spaces in them, to its end. */
  run(line: string, options: Partial<RunOptions> = {}): Promise<Run> {
    return runButlerctl(line.split(" "), { kubeconfig: this.kubeconfig, ...options });
  }

  /** Starts a command line; it is ended with the test at the latest. */
  start(line: string): RunningCommand {
    const command = startButlerctl(line.split(" "), { kubeconfig: this.kubeconfig });
    this.#running.add(command);
    void command.ended.finally(() => this.#running.delete(command));
    return command;
  }

  /** Runs a command line in a terminal, types lines as they are asked for, and gives all that was to be seen. */
  atTerminal(line: string, typed: readonly string[]): Promise<string> {
    return runAtTerminal(line.split(" "), typed, { kubeconfig: this.kubeconfig });
  }

  /** Makes an object. */
  async create(kind: Kind, metadata: ObjectMeta, body: Record<string, unknown>): Promise<void> {
    const object: DynamicObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...body };
    await this.cluster.client.create(kind, object);
  }

  /** Writes a status of a cluster as a controller would. */
  async report(name: string, status: Record<string, unknown>): Promise<void> {
    const options = { type: "merge", patch: { status }, subresource: "status" } as const;
    await this.cluster.client.patch(TenantCluster, { name, namespace: "payments" }, options);
  }

  /** For `beforeAll`. */
  async open(): Promise<void> {
    this.#directory = await mkdtemp(join(tmpdir(), "butlerctl-test-"));
    const own = [TenantCluster, Team, ButlerConfig, ProviderConfig];
    const made = [DataStore, StewardControlPlane, TenantControlPlane, LocalMachine];
    this.#cluster = await startTestCluster({ name: this.#name, resources: [...own, ...made] });
    await installClusterApiStandIns(this.cluster.client);
    for (const name of ["payments", "search", "butler-system", "butler-tenants"]) {
      await this.cluster.createNamespace(name);
    }
    await this.create(Team, { name: "payments" }, { spec: teamSpec });
    await this.create(ProviderConfig, { name: "local", namespace: "butler-system" }, { spec: providerSpec });
  }

  /** For `afterAll`. */
  async close(): Promise<void> {
    for (const command of this.#running) command.process.kill("SIGKILL");
    await this.#cluster?.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** A desk for the tests of a file. */
export function useDesk(name: string): Desk {
  const desk = new Desk(name);
  beforeAll(() => desk.open());
  afterAll(() => desk.close());
  return desk;
}

const teamSpec = {
  resourceLimits: { maxClusters: 4, maxCPUCores: "40", maxMemory: "96Gi" },
  environments: [{ name: "dev", limits: { maxClusters: 2 } }],
};
const providerSpec = { provider: "local", limits: { maxNodesPerTeam: 10 } };

/** A condition as a controller would write it. */
export function stated(type: string, status: string, message: string): Record<string, string> {
  return { type, status, reason: "Test", message, lastTransitionTime: "2026-11-15T12:00:00Z" };
}

/** The status of a cluster that is ready. */
export const ready = {
  phase: "Ready",
  observedGeneration: 1,
  workerNodesDesired: 2,
  workerNodesReady: 2,
  controlPlaneEndpoint: "10.40.1.100:6443",
  conditions: [stated("Ready", "True", "all is well")],
};

/** Makes the cluster that most tests look at. */
export const createBlue =
  "cluster create blue --team payments --environment dev --kubernetes-version 1.35.2 --provider local --workers 2 " +
  "--cpu 4 --memory 8Gi --disk 50Gi --os rocky:9.5";
