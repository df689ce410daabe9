import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  apiVersionOf,
  type DynamicObject,
  type Kind,
  type ObjectKey,
  type ObjectMeta,
  type Resource,
} from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll } from "vitest";
import { type Run, runAtTerminal, type RunningCommand, type RunOptions, startCommandLine } from "./command-line.ts";

export interface CommandLineHarnessOptions {
  readonly name: string;
  /** The file of the command line's program. */
  readonly main: string;
  /** Kinds and namespaces that exist from the start. */
  readonly resources: readonly Resource[];
  readonly namespaces: readonly string[];
}

/** A command line as typed; words that contain spaces need the list form. */
type Line = string | readonly string[];

/** A real API server, and a real command line against it. */
export class CommandLineHarness {
  readonly #options: CommandLineHarnessOptions;
  readonly #running = new Set<RunningCommand>();
  #cluster: TestCluster | undefined;
  #directory = "";

  constructor(options: CommandLineHarnessOptions) {
    this.#options = options;
  }

  get cluster(): TestCluster {
    if (this.#cluster === undefined) throw new Error("the cluster has not been started");
    return this.#cluster;
  }

  get kubeconfig(): string {
    return this.cluster.controlPlane.kubeconfigPath;
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

  /** Runs a command line to completion. */
  run(line: Line, options: Partial<RunOptions> = {}): Promise<Run> {
    return this.start(line, options).ended;
  }

  /** Starts a command line; it is killed when the tests end. */
  start(line: Line, options: Partial<RunOptions> = {}): RunningCommand {
    const command = startCommandLine(this.#options.main, wordsOf(line), { ...this.#surroundings(), ...options });
    this.#running.add(command);
    void command.ended.finally(() => this.#running.delete(command));
    return command;
  }

  /** Runs a command line in a terminal, answers its prompts, and returns the screen output. */
  atTerminal(line: Line, typed: readonly string[]): Promise<string> {
    return runAtTerminal(this.#options.main, wordsOf(line), { ...this.#surroundings(), typed });
  }

  /** Creates an object. */
  async create(kind: Kind, metadata: ObjectMeta, body: Readonly<Record<string, unknown>>): Promise<void> {
    const object: DynamicObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...body };
    await this.cluster.client.create(kind, object);
  }

  /** Updates a status as a controller does. */
  async report(kind: Kind, key: ObjectKey, status: Readonly<Record<string, unknown>>): Promise<void> {
    await this.cluster.client.patch(kind, key, { type: "merge", patch: { status }, subresource: "status" });
  }

  /** For `beforeAll`. */
  async open(): Promise<void> {
    const { name, resources, namespaces } = this.#options;
    this.#directory = await mkdtemp(join(tmpdir(), `${name}-test-`));
    this.#cluster = await aTestCluster({ resources });
    for (const namespace of namespaces) await this.cluster.createNamespace(namespace);
  }

  /** For `afterAll`. */
  async close(): Promise<void> {
    for (const command of this.#running) command.process.kill("SIGKILL");
    await this.#cluster?.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #surroundings(): Pick<RunOptions, "kubeconfig" | "directory"> {
    return { kubeconfig: this.kubeconfig, directory: this.#directory };
  }
}

function wordsOf(line: Line): readonly string[] {
  return typeof line === "string" ? line.split(" ") : line;
}

/** The test environment, open while the tests of a file run. */
export function openForTests<D extends CommandLineHarness>(harness: D): D {
  beforeAll(() => harness.open());
  afterAll(() => harness.close());
  return harness;
}
