import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Conflict } from "@butler/std";
import { componentEnvironment } from "../control-plane/component-arguments.ts";
import { engineDirectory } from "../cache.ts";
import { tryDirectoryLock } from "../directory-lock.ts";
import { ensureTools, type ToolPaths } from "../ensure-tools.ts";
import type { EngineImageName } from "../images/engine-images.ts";
import { engineImageNames, engineImages } from "../images/image-catalog.ts";
import type { ImageDescription } from "../images/image-writer.ts";
import { installSystemPackages } from "../sources/system-packages.ts";
import { connectSupervisor, startSupervisor, stopSupervisor } from "../supervisor/start-supervisor.ts";
import type { ServiceStatus } from "../supervisor/service-status.ts";
import type { LogReading } from "../supervisor/log-file.ts";
import { serviceLogs, type SupervisorClient } from "../supervisor/supervisor-client.ts";
import { localEngineTools } from "../tool-groups.ts";
import { createCgroups, removeCgroups } from "./cgroups.ts";
import { clusterManifests } from "./cluster-manifests.ts";
import { companionService, engineServices } from "./engine-services.ts";
import { type EnginePaths, enginePaths, enginesDirectory } from "./engine-paths.ts";
import { findSlot, releaseSlot, takeSlot } from "./engine-slots.ts";
import { ensureImages, imageStoreOf, importArchive, listImages } from "./import-images.ts";
import { Kubectl } from "./kubectl.ts";
import { findObstacles, packagesOf, refuseObstacles } from "./machine-checks.ts";
import { readMachineFacts } from "./machine-facts.ts";
import { createNetwork, removeNetwork } from "./network.ts";
import { type NetworkLayout, networkLayout } from "./network-layout.ts";
import { prepareEngine } from "./prepare-engine.ts";
import { killLeftovers, stopContainers, unmountBelow } from "./stop-containers.ts";

/** What an engine is called and who hears about its progress; everything has a default. */
export interface EngineOptions {
  readonly name?: string;
  readonly home?: string;
  /** Told, as a sentence, what is being done. */
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How an engine is. */
export interface EngineState {
  readonly name: string;
  readonly directory: string;
  readonly kubeconfig: string;
  readonly server: string | undefined;
  readonly supervisorPid: number | undefined;
  /** Empty when no supervisor runs. */
  readonly services: readonly ServiceStatus[];
}

/** Butler's own program in a checkout; an engine without it has no addresses for load balancers and no volumes. */
const companionMain = join(engineDirectory, "..", "apps", "butler", "src", "main.ts");

type EngineTools = ToolPaths<(typeof localEngineTools)[number]>;

/** A complete single-node Kubernetes on this machine. */
export class LocalEngine {
  readonly name: string;
  readonly paths: EnginePaths;
  /** The folder that holds all engines. */
  readonly home: string;
  readonly #say: (sentence: string) => void;
  readonly #signal: AbortSignal | undefined;

  constructor({ name = "local", home = enginesDirectory(), say = () => undefined, signal }: EngineOptions = {}) {
    this.name = name;
    this.paths = enginePaths(name, home);
    this.home = home;
    this.#say = say;
    this.#signal = signal;
  }

  /** Brings the engine up, or completes what is up of it. Data of an earlier time is kept. */
  async up(): Promise<void> {
    await this.#checkMachine();
    await mkdir(this.paths.directory, { recursive: true });
    const attempt = await tryDirectoryLock(join(this.paths.directory, ".up.lock"), `bring the engine ${this.name} up`);
    if (!("lock" in attempt)) {
      throw new Conflict(`the engine ${this.name} is just being brought up by process ${attempt.owner?.pid ?? "?"}`, {
        hint: "Wait until it is done, or end that process and try again.",
      });
    }
    try {
      const tools = await ensureTools(localEngineTools, { signal: this.#signal });
      const layout = networkLayout(await takeSlot(this.paths));
      const supervisor = await this.#startPrograms(tools, layout);
      const [images] = await Promise.all([
        engineImages(["pause", "coredns"], { say: this.#say, signal: this.#signal }),
        this.#waitReady(supervisor, ["kube-apiserver", "containerd"]),
      ]);
      // What the cluster needs is put in while the rest of it still comes up.
      await Promise.all([this.#furnish(tools, layout, images), this.#waitReady(supervisor)]);
      await this.#kubectl(tools).run(["wait", "--for=condition=Ready", "node", "--all", "--timeout=60s"]);
      this.#say("the node is ready");
    } finally {
      await attempt.lock.release();
    }
  }

  /** Stops everything and keeps all data, also when the supervisor itself is gone. */
  async down(): Promise<void> {
    if (!existsSync(this.paths.supervisor)) return;
    const supervisor = await connectSupervisor(this.paths.supervisor);
    if (supervisor !== undefined) {
      this.#say("stopping");
      await supervisor.stop({ services: ["kubelet", "kube-proxy"], timeoutMs: 30_000 });
      await stopContainers(await imageStoreOf(this.paths)).catch(() => undefined);
    }
    await stopSupervisor(this.paths.supervisor, { timeoutMs: 60_000 });
    await this.#sweep();
  }

  /** Stops everything and removes every trace: data, network, cgroups. */
  async reset(): Promise<void> {
    await this.down();
    await this.#sweep();
    const slot = await findSlot(this.paths);
    if (slot !== undefined) {
      await removeNetwork(networkLayout(slot));
      await releaseSlot(slot);
    }
    await removeCgroups(this.#cgroup);
    await rm(this.paths.directory, { recursive: true, force: true });
    if (existsSync(this.home) && (await readdir(this.home)).length === 0) await rm(this.home, { recursive: true });
  }

  /** How the engine is now. */
  async state(): Promise<EngineState> {
    const status = await (await connectSupervisor(this.paths.supervisor))?.status();
    const slot = await findSlot(this.paths);
    return {
      name: this.name,
      directory: this.paths.directory,
      kubeconfig: this.paths.kubeconfig,
      server: slot === undefined ? undefined : `https://${networkLayout(slot).nodeAddress}:6443`,
      supervisorPid: status?.daemon.pid,
      services: status?.services ?? [],
    };
  }

  async #sweep(): Promise<void> {
    await killLeftovers({ cgroup: this.#cgroup, socket: this.paths.containerdSocket });
    await unmountBelow(this.paths.directory);
  }

  /** The lines of a component's log. */
  logs(component: string, reading: LogReading = {}): AsyncGenerator<string, void> {
    return serviceLogs(this.paths.supervisor, component, reading);
  }

  /** The names of the images that pods can use without a registry. */
  async images(): Promise<string[]> {
    return listImages(await imageStoreOf(this.paths));
  }

  /** Puts the images of an archive (OCI layout or `docker save`) into the engine. */
  async loadImage(archive: string): Promise<void> {
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

  get #cgroup(): string {
    return `butler-${this.name}`;
  }

  async #checkMachine(): Promise<void> {
    const facts = await readMachineFacts(this.home);
    if (facts.missingPrograms.length > 0 && facts.userId === 0 && existsSync("/usr/bin/apt-get")) {
      const packages = packagesOf(facts.missingPrograms);
      await installSystemPackages({ packages, environment: process.env, note: this.#say });
      refuseObstacles(findObstacles(await readMachineFacts(this.home)));
      return;
    }
    refuseObstacles(findObstacles(facts));
  }

  async #startPrograms(tools: EngineTools, layout: NetworkLayout): Promise<SupervisorClient> {
    const nodeName = `butler-${this.name}`;
    await createNetwork(layout);
    await createCgroups(this.#cgroup);
    // Programs that run have read their files; writing new keys under them would only disturb them.
    if ((await connectSupervisor(this.paths.supervisor)) === undefined) {
      await prepareEngine({ name: this.name, paths: this.paths, layout, nodeName, programs: tools });
    }
    const environment = componentEnvironment(process.env);
    const specs = engineServices({ layout, paths: this.paths, programs: tools, nodeName, environment });
    if (existsSync(companionMain))
      specs.push(companionService({ layout, paths: this.paths, environment }, companionMain));
    return startSupervisor(this.paths.supervisor, specs, { signal: this.#signal });
  }

  async #waitReady(supervisor: SupervisorClient, services?: readonly string[]): Promise<void> {
    await supervisor.waitReady({
      services,
      timeoutMs: 120_000,
      signal: this.#signal,
      onChange: ({ name, state }) => {
        if (state === "Ready" && services === undefined) this.#say(`${name} is ready`);
      },
    });
  }

  /** Puts in what the cluster needs before anything else: images, name resolution, permissions. */
  async #furnish(tools: EngineTools, layout: NetworkLayout, images: readonly ImageDescription[]): Promise<void> {
    await this.addImages(images);
    const manifests = clusterManifests(layout, { coreDnsImage: engineImageNames().coredns });
    await this.#kubectl(tools).apply(manifests);
  }

  #kubectl({ kubectl }: EngineTools): Kubectl {
    return new Kubectl({ program: kubectl, kubeconfig: this.paths.kubeconfig, signal: this.#signal });
  }
}
