import { existsSync } from "node:fs";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { describeError, Forbidden, InvalidInput, NotFound, Unavailable } from "@butler/std";
import type { EngineImageName } from "../images/engine-images.ts";
import { engineImages } from "../images/image-catalog.ts";
import type { ImageDescription } from "../images/image-writer.ts";
import type { Progress } from "../progress.ts";
import type { LogReading } from "../supervisor/log-file.ts";
import type { ServiceStatus } from "../supervisor/service-status.ts";
import { connectSupervisor, stopSupervisor } from "../supervisor/start-supervisor.ts";
import { serviceLogs } from "../supervisor/supervisor-client.ts";
import { bringUp, findDamagedPrograms } from "./bring-up.ts";
import { removeCgroups } from "./cgroups.ts";
import { ensureFitMachine } from "./check-machine.ts";
import { withEngineLock } from "./engine-lock.ts";
import { type EnginePaths, enginePaths, enginesDirectory } from "./engine-paths.ts";
import { findSlot, hasNamesake, releaseSlot } from "./engine-slots.ts";
import { ensureImages, imageStoreOf, importArchive, listImages } from "./import-images.ts";
import { engineCgroup, killLeftovers } from "./leftovers.ts";
import { findMachineProblems, type Problem } from "./machine-checks.ts";
import { readMachineFacts } from "./machine-facts.ts";
import { removeNetwork } from "./network.ts";
import { networkLayout } from "./network-layout.ts";
import { readEngineProblems } from "./read-engine-problems.ts";
import { runCommand } from "./run-command.ts";

/** The name of an engine and the receivers of its progress; everything has a default. */
export interface EngineOptions {
  readonly name?: string;
  readonly home?: string;
  /** Receives progress messages. */
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Lifetime of certificates; one year by default. They are renewed when a third of it is left. */
  readonly certificateLifetimeMs?: number | undefined;
  /** Receives the progress of installing missing programs; by default text on standard error. */
  readonly progress?: Progress | undefined;
}

/** The state of an engine. */
export interface EngineState {
  readonly name: string;
  readonly directory: string;
  readonly kubeconfig: string;
  readonly kubernetes: string | undefined;
  readonly supervisorPid: number | undefined;
  /** Empty when no supervisor runs. */
  readonly services: readonly ServiceStatus[];
  /** What keeps it from working, with remedies. */
  readonly troubles: readonly Problem[];
}

/** A complete single-node Kubernetes on this machine. */
export class LocalEngine {
  readonly name: string;
  readonly paths: EnginePaths;
  /** The parent directory of all engines. */
  readonly home: string;
  readonly #say: (sentence: string) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #certificateLifetimeMs: number | undefined;
  readonly #progress: Progress | undefined;

  constructor(options: EngineOptions = {}) {
    const { name = "local", home = enginesDirectory(), say = () => undefined, signal } = options;
    this.name = name;
    this.paths = enginePaths(name, home);
    this.home = home;
    this.#say = say;
    this.#signal = signal;
    this.#certificateLifetimeMs = options.certificateLifetimeMs;
    this.#progress = options.progress;
  }

  /** Starts the engine, or completes an incomplete start. Existing data is kept. */
  async up({ verify = false }: { readonly verify?: boolean } = {}): Promise<void> {
    const [say, signal, certificateLifetimeMs] = [this.#say, this.#signal, this.#certificateLifetimeMs];
    await ensureFitMachine({ home: this.home, paths: this.paths, say });
    await mkdir(this.paths.directory, { recursive: true });
    await withEngineLock(this.paths, `start the engine ${this.name}`, () =>
      bringUp({
        name: this.name,
        paths: this.paths,
        say,
        signal,
        verify,
        certificateLifetimeMs,
        progress: this.#progress,
      }),
    );
  }

  /** The network, routed to this engine, that is reserved for the load balancers of tenant clusters. */
  async tenantRange(): Promise<string> {
    const slot = await findSlot(this.paths);
    if (slot === undefined) throw new NotFound(`engine ${this.name} not found in ${this.home}`);
    return networkLayout(slot).tenantRange;
  }

  /** The networks of its pods and Services. */
  async clusterNetworks(): Promise<readonly string[]> {
    const slot = await findSlot(this.paths);
    if (slot === undefined) throw new NotFound(`engine ${this.name} not found in ${this.home}`);
    const { podRange, serviceRange } = networkLayout(slot);
    return [podRange, serviceRange];
  }

  /** The address of its only node, which is reachable from this machine. */
  async nodeAddress(): Promise<string> {
    const slot = await findSlot(this.paths);
    if (slot === undefined) throw new NotFound(`engine ${this.name} not found in ${this.home}`);
    return networkLayout(slot).nodeAddress;
  }

  /** Stops everything and keeps all data, even when the supervisor itself has exited. */
  async down(): Promise<void> {
    this.#refuseStrangers();
    await withEngineLock(this.paths, `stop the engine ${this.name}`, () => this.#stop());
  }

  /** Stops everything and removes all data, network and cgroups. */
  async reset(): Promise<void> {
    this.#refuseStrangers();
    await withEngineLock(this.paths, `remove the engine ${this.name}`, async () => {
      await this.#stop();
      const slot = await findSlot(this.paths);
      if (slot !== undefined) {
        await removeNetwork(networkLayout(slot));
        await releaseSlot(slot);
      }
      if (!(await hasNamesake(this.paths))) await removeCgroups(engineCgroup(this.name));
      await rm(this.paths.directory, { recursive: true, force: true });
    });
    // Fails if there is another engine in it, or if it is a mount point.
    await rmdir(this.home).catch(() => undefined);
  }

  async #stop(): Promise<void> {
    await this.#stopInOrder().catch((error: unknown) => {
      this.#say(`graceful shutdown failed; killing the remaining processes: ${describeError(error)}`);
    });
    await killLeftovers(this.paths);
  }

  async #stopInOrder(): Promise<void> {
    if (!existsSync(this.paths.supervisor)) return;
    const supervisor = await connectSupervisor(this.paths.supervisor);
    if (supervisor !== undefined) {
      this.#say("stopping");
      await supervisor.stop({ services: ["kubelet", "kube-proxy"], timeoutMs: 30_000 });
      await stopContainers(await imageStoreOf(this.paths)).catch(() => undefined);
    }
    await stopSupervisor(this.paths.supervisor, { timeoutMs: 60_000 });
  }

  /** Returns the current state of the engine. */
  async state(): Promise<EngineState> {
    this.#refuseStrangers();
    const status = await (await connectSupervisor(this.paths.supervisor))?.status();
    const slot = await findSlot(this.paths);
    const layout = slot === undefined ? undefined : networkLayout(slot);
    return {
      name: this.name,
      directory: this.paths.directory,
      kubeconfig: this.paths.kubeconfig,
      kubernetes: layout === undefined ? undefined : `https://${layout.nodeAddress}:6443`,
      supervisorPid: status?.daemon.pid,
      services: status?.services ?? [],
      troubles: status === undefined ? [] : await readEngineProblems({ paths: this.paths, layout, status }),
    };
  }

  /** Everything that keeps the engine from working: problems of the machine, of its programs and of its services. */
  async diagnose(): Promise<Problem[]> {
    const problems = findMachineProblems(await readMachineFacts(this.home, this.paths.controlPlane.etcdData));
    if (process.getuid?.() !== 0) return problems;
    const damaged = await findDamagedPrograms();
    const remedy = `Replace them with: butleradm local up --verify --name ${this.name}`;
    return [
      ...problems,
      ...(damaged.length === 0 ? [] : [{ what: `damaged programs: ${damaged.join(", ")}`, remedy }]),
      ...(await this.state()).troubles,
    ];
  }

  /** Only root can read the state of an engine; for other users it would appear not to run. */
  #refuseStrangers(): void {
    if (process.getuid?.() === 0 || !this.exists) return;
    throw new Forbidden(`the engine ${this.name} in ${this.paths.directory} is owned by root`, {
      hint: "Run the command with sudo.",
    });
  }

  /** Whether its directory exists. */
  get exists(): boolean {
    return existsSync(this.paths.directory);
  }

  #requireFile(file: string): void {
    this.#refuseStrangers();
    if (existsSync(file)) return;
    throw new Unavailable(`the engine ${this.name} in ${this.home} is not running`, {
      hint: `Start it with: butleradm local up --name ${this.name}`,
    });
  }

  /** The lines of a component's log. */
  logs(component: string, reading: LogReading = {}): AsyncGenerator<string, void> {
    this.#requireFile(this.paths.supervisor);
    return serviceLogs(this.paths.supervisor, component, reading);
  }

  /** The names of the images that pods can use without a registry. */
  async images(): Promise<string[]> {
    this.#requireFile(this.paths.containerdSocket);
    return listImages(await imageStoreOf(this.paths));
  }

  /** Puts the images of an archive (OCI layout or `docker save`) into the engine. */
  async loadImage(archive: string): Promise<void> {
    this.#requireFile(this.paths.containerdSocket);
    if (!existsSync(archive)) throw new InvalidInput(`file not found: ${archive}`);
    await importArchive(await imageStoreOf(this.paths), archive);
  }

  /** Imports images that are built from the engine's own programs: no registry is used. */
  async provideImages(which: readonly EngineImageName[]): Promise<void> {
    await this.addImages(await engineImages(which, { say: this.#say, signal: this.#signal }));
  }

  /** Builds images and imports them, unless they exist already. */
  async addImages(images: readonly ImageDescription[]): Promise<void> {
    await ensureImages(await imageStoreOf(this.paths), images);
  }
}

/** Stops every container gracefully. Kubernetes restarts them when the engine starts. */
async function stopContainers({ ctr, socket }: { ctr: string; socket: string }): Promise<void> {
  const tasks = ["--address", socket, "--namespace", "k8s.io", "tasks"];
  const ids = (await runCommand([ctr, ...tasks, "ls", "-q"])).split("\n").filter((id) => id !== "");
  for (const id of ids) await runCommand([ctr, ...tasks, "delete", "--force", id]).catch(() => undefined);
}
