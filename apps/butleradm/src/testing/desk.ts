import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ButlerConfig,
  IdentityProvider,
  IPAllocation,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantCluster,
  User,
} from "@butler/api";
import { apiVersionOf, type DynamicObject, type Kind, type ObjectKey, type ObjectMeta } from "@butler/resource";
import { startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll } from "vitest";
import { type Run, type RunningCommand, type RunOptions, startButleradm } from "./run-butleradm.ts";

/** A real API server with the namespaces of a platform in it, and the real command line of operators against it. */
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

  /** A path for a file of the test; commands run in the same folder. */
  file(name: string): string {
    return join(this.#directory, name);
  }

  /** Writes a file of the test. */
  async write(name: string, text: string): Promise<string> {
    await writeFile(this.file(name), text);
    return this.file(name);
  }

  /** Runs a command line to its end. Words that have spaces in them are given as a list. */
  run(line: string | readonly string[], options: Partial<RunOptions> = {}): Promise<Run> {
    return this.start(line, options).ended;
  }

  /** Starts a command line; it is ended with the test at the latest. */
  start(line: string | readonly string[], options: Partial<RunOptions> = {}): RunningCommand {
    const words = typeof line === "string" ? line.split(" ") : line;
    const kubeconfig = this.cluster.controlPlane.kubeconfigPath;
    const command = startButleradm(words, { kubeconfig, directory: this.#directory, ...options });
    this.#running.add(command);
    void command.ended.finally(() => this.#running.delete(command));
    return command;
  }

  /** Makes an object. */
  async create(kind: Kind, metadata: ObjectMeta, body: Readonly<Record<string, unknown>>): Promise<void> {
    const object: DynamicObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...body };
    await this.cluster.client.create(kind, object);
  }

  /** Writes a status as a controller would. */
  async report(kind: Kind, key: ObjectKey, status: Readonly<Record<string, unknown>>): Promise<void> {
    await this.cluster.client.patch(kind, key, { type: "merge", patch: { status }, subresource: "status" });
  }

  /** For `beforeAll`. */
  async open(): Promise<void> {
    this.#directory = await mkdtemp(join(tmpdir(), "butleradm-test-"));
    const resources = [
      ButlerConfig,
      IdentityProvider,
      IPAllocation,
      NetworkPool,
      ProviderConfig,
      Team,
      TenantCluster,
      User,
    ];
    this.#cluster = await startTestCluster({ name: this.#name, resources });
    for (const name of ["butler-system", "payments", "search"]) await this.cluster.createNamespace(name);
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
