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
import { findObstacles, type Obstacle } from "./machine-checks.ts";
import { readMachineFacts } from "./machine-facts.ts";
import { removeNetwork } from "./network.ts";
import { networkLayout } from "./network-layout.ts";
import { readTroubles } from "./read-troubles.ts";
import { stopContainers } from "./stop-containers.ts";

/** What an engine is called and who hears about its progress; everything has a default. */
export interface EngineOptions {
  readonly name?: string;
  readonly home?: string;
  /** Told, as a sentence, what is being done. */
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** How long certificates live; a year when left out. They are replaced when a third of that is left. */
  readonly certificateLifetimeMs?: number | undefined;
  /** Who is told how the bringing of missing programs goes; by default text on standard error. */
  readonly progress?: Progress | undefined;
}

/** How an engine is. */
export interface EngineState {
  readonly name: string;
  readonly directory: string;
  readonly kubeconfig: string;
  readonly kubernetes: string | undefined;
  readonly supervisorPid: number | undefined;
  /** Empty when no supervisor runs. */
  readonly services: readonly ServiceStatus[];
  /** What keeps it from working, with what to do about it. */
  readonly troubles: readonly Obstacle[];
}

/** A complete single-node Kubernetes on this machine. */
export class LocalEngine {
  readonly name: string;
  readonly paths: EnginePaths;
  /** The folder that holds all engines. */
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

  /** Brings the engine up, or completes what is up of it. Data of an earlier time is kept. */
  async up({ verify = false }: { readonly verify?: boolean } = {}): Promise<void> {
    const [say, signal, certificateLifetimeMs] = [this.#say, this.#signal, this.#certificateLifetimeMs];
    await ensureFitMachine({ home: this.home, paths: this.paths, say });
    await mkdir(this.paths.directory, { recursive: true });
    await withEngineLock(this.paths, `bring the engine ${this.name} up`, () =>
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

  /** The network, routed to this engine, that is free for the load balancers of tenant clusters. */
  async tenantRange(): Promise<string> {
    const slot = await findSlot(this.paths);
    if (slot === undefined) throw new NotFound(`there is no engine ${this.name} in ${this.home}`);
    return networkLayout(slot).tenantRange;
  }

  /** The address of its only node, which this machine has a way to. */
  async nodeAddress(): Promise<string> {
    const slot = await findSlot(this.paths);
    if (slot === undefined) throw new NotFound(`there is no engine ${this.name} in ${this.home}`);
    return networkLayout(slot).nodeAddress;
  }

  /** Stops everything and keeps all data, also when the supervisor itself is gone. */
  async down(): Promise<void> {
    this.#refuseStrangers();
    await withEngineLock(this.paths, `stop the engine ${this.name}`, () => this.#stop());
  }

  /** Stops everything and removes every trace: data, network, cgroups. */
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
    // Refused while there is another engine in it, or when it is a disk of its own.
    await rmdir(this.home).catch(() => undefined);
  }

  async #stop(): Promise<void> {
    await this.#stopInOrder().catch((error: unknown) => {
      this.#say(`what does not stop in order is killed: ${describeError(error)}`);
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

  /** How the engine is now. */
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
      troubles: status === undefined ? [] : await readTroubles({ paths: this.paths, layout, status }),
    };
  }

  /** Everything that keeps the engine from working: of the machine, of its programs and of what runs. */
  async diagnose(): Promise<Obstacle[]> {
    const obstacles = findObstacles(await readMachineFacts(this.home, this.paths.controlPlane.etcdData));
    if (process.getuid?.() !== 0) return obstacles;
    const damaged = await findDamagedPrograms();
    const remedy = `Have them replaced: butleradm local up --verify --name ${this.name}`;
    return [
      ...obstacles,
      ...(damaged.length === 0 ? [] : [{ what: `these programs are damaged: ${damaged.join(", ")}`, remedy }]),
      ...(await this.state()).troubles,
    ];
  }

  /** Only root sees how an engine is; to others it would look as if it did not run. */
  #refuseStrangers(): void {
    if (process.getuid?.() === 0 || !this.exists) return;
    throw new Forbidden(`the engine ${this.name} in ${this.paths.directory} belongs to root`, {
      hint: "Run the command with sudo.",
    });
  }

  /** Whether there is anything of it on the disk. */
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
    if (!existsSync(archive)) throw new InvalidInput(`there is no file ${archive}`);
    await importArchive(await imageStoreOf(this.paths), archive);
  }

  /** Puts images in that are made of the engine's own programs: no registry is asked for them. */
  async provideImages(which: readonly EngineImageName[]): Promise<void> {
    await this.addImages(await engineImages(which, { say: this.#say, signal: this.#signal }));
  }

  /** Makes images and puts them in, unless they are there already. */
  async addImages(images: readonly ImageDescription[]): Promise<void> {
    await ensureImages(await imageStoreOf(this.paths), images);
  }
}
