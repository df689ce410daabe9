import { existsSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "@butler/std";

import { componentEnvironment } from "../control-plane/component-arguments.ts";
import { ensureTools, openToolCache, type ToolPaths } from "../ensure-tools.ts";
import { engineImageNames, engineImages } from "../images/image-catalog.ts";
import type { ImageDescription } from "../images/image-writer.ts";
import { selectTools, toolsLock } from "../lock-file.ts";
import type { Progress } from "../progress.ts";
import type { ServiceStatus } from "../supervisor/service-status.ts";
import { connectSupervisor, startSupervisor } from "../supervisor/start-supervisor.ts";
import type { SupervisorClient } from "../supervisor/supervisor-client.ts";
import { localEngineTools } from "../tool-groups.ts";
import { engineDirectory } from "../tool-set.ts";
import { createCgroups } from "./cgroups.ts";
import { clusterManifests } from "./cluster-manifests.ts";
import type { EnginePaths } from "./engine-paths.ts";
import { companionService, engineServices, renewalChore } from "./engine-services.ts";
import { takeSlot } from "./engine-slots.ts";
import { judgeService } from "./engine-problems.ts";
import { ensureImages, imageStoreOf } from "./import-images.ts";
import { inParallel } from "./in-parallel.ts";
import { Kubectl } from "./kubectl.ts";
import { clearSlot, engineCgroup } from "./leftovers.ts";
import { remediesOf } from "./machine-checks.ts";
import { createNetwork, readRoutes } from "./network.ts";
import { type NetworkLayout, networkLayout } from "./network-layout.ts";
import { prepareEngine } from "./prepare-engine.ts";
import { findRangeConflicts } from "./range-conflicts.ts";
import { readEngineProblems } from "./read-engine-problems.ts";
import { renewCertificates } from "./certificate-renewal.ts";

/** Butler's own program in a checkout; an engine without it provides no load balancer addresses and no volumes. */
const companionMain = join(engineDirectory, "..", "apps", "butler", "src", "main.ts");

type EngineTools = ToolPaths<(typeof localEngineTools)[number]>;

/** Which engine to start, and how. */
export interface BringUpInput {
  readonly name: string;
  readonly paths: EnginePaths;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal | undefined;
  /** Compare the whole content of every program with its checksum. */
  readonly verify: boolean;
  readonly certificateLifetimeMs: number | undefined;
  readonly progress: Progress | undefined;
}

/**
 * Starts an engine. On a failure, its programs are verified; damaged ones are replaced and everything is tried once
 * more.
 */
export async function bringUp(input: BringUpInput): Promise<void> {
  const { signal, verify, progress } = input;
  const tools = await ensureTools(localEngineTools, { signal, verify, ...(progress && { progress }) });
  const attempt = new BringUp(input, tools);
  try {
    return await attempt.run();
  } catch (error) {
    signal?.throwIfAborted();
    const isOver = !(await replaceDamaged(input)) && !attempt.isDoubtful;
    if (isOver) throw await attempt.explain(error);
  }
  // All programs are verified; a service that exits occasionally may still come up.
  attempt.isTrusting = true;
  await attempt.run().catch(async (error: unknown) => {
    throw await attempt.explain(error);
  });
}

/** The names of the engine's programs that are installed but damaged. */
export async function findDamagedPrograms(): Promise<string[]> {
  const cache = await openToolCache();
  const tools = selectTools(toolsLock, localEngineTools);
  const absent = new Set(await cache.findMissing(tools));
  const damaged = await cache.findMissing(tools, { verify: true });
  return damaged.filter((tool) => !absent.has(tool)).map(({ name }) => name);
}

async function replaceDamaged({ say, signal }: BringUpInput): Promise<boolean> {
  const damaged = await findDamagedPrograms();
  if (damaged.length === 0) return false;
  say(`replacing damaged programs in the cache: ${damaged.join(", ")}`);
  await ensureTools(localEngineTools, { signal, verify: true });
  return true;
}

class BringUp {
  readonly #input: BringUpInput;
  readonly #tools: EngineTools;
  #layout: NetworkLayout | undefined;
  /** The service that did not become ready. */
  #lost: ServiceStatus | undefined;
  /** Whether it failed because of a service that exits for an unknown reason. */
  isDoubtful = false;
  /** Whether to keep waiting for such a service. */
  isTrusting = false;

  constructor(input: BringUpInput, tools: EngineTools) {
    this.#input = input;
    this.#tools = tools;
  }

  async run(): Promise<void> {
    const { say, signal } = this.#input;
    const layout = await this.#makeNetwork();
    const supervisor = await this.#startPrograms(layout);
    const [images] = await inParallel<[ImageDescription[], void]>(
      [
        (together) => engineImages(["pause", "coredns"], { say, signal: together }),
        (together) => this.#waitReady(supervisor, together, ["etcd", "kube-apiserver", "containerd"]),
      ],
      signal,
    );
    // The objects that the cluster needs are applied while the rest of it is still starting.
    await inParallel(
      [(together) => this.#furnish(layout, images, together), (together) => this.#waitReady(supervisor, together)],
      signal,
    );
    const wait = ["wait", "--for=condition=Ready", "node", "--all", "--timeout=60s"];
    await this.#kubectl(signal).run(wait);
    say("the node is ready");
  }

  /** Replaces the first error noticed by a diagnosis of the engine with remedies, if there is one. */
  async explain(error: unknown): Promise<unknown> {
    const { name, paths, signal } = this.#input;
    if (signal?.aborted === true) return error;
    const status = await (await connectSupervisor(paths.supervisor).catch(() => undefined))?.status();
    // The service may be restarting at the moment, which would hide its failure.
    const services = status?.services.map((service) => (service.name === this.#lost?.name ? this.#lost : service));
    const seen = status && { ...status, services: services ?? [] };
    const problems = await readEngineProblems({ paths, layout: this.#layout, status: seen });
    if (problems.length === 0) return error;
    const list = problems.map(({ what }) => what).join("; ");
    return new Unavailable(`the engine ${name} failed to start: ${list}`, { hint: remediesOf(problems) });
  }

  async #makeNetwork(): Promise<NetworkLayout> {
    const { name, paths } = this.#input;
    const routes = await readRoutes();
    const isUsable = (slot: number): boolean => findRangeConflicts(networkLayout(slot), routes).length === 0;
    const { slot, isNew, formerOwner } = await takeSlot(paths, { isUsable });
    const layout = networkLayout(slot);
    this.#layout = layout;
    if (isNew) await clearSlot(layout, formerOwner);
    await createNetwork(layout);
    await createCgroups(engineCgroup(name));
    return layout;
  }

  async #startPrograms(layout: NetworkLayout): Promise<SupervisorClient> {
    const { name, paths, signal, certificateLifetimeMs } = this.#input;
    const nodeName = `butler-${name}`;
    const keys = { name, paths, layout, nodeName, certificateLifetimeMs };
    const running = await connectSupervisor(paths.supervisor);
    // Running programs have read their configuration; only their keys can change.
    if (running === undefined) await prepareEngine({ ...keys, programs: this.#tools });
    else await renewCertificates(keys, running);
    const environment = componentEnvironment(process.env);
    const specs = engineServices({ layout, paths, programs: this.#tools, nodeName, environment });
    if (existsSync(companionMain)) specs.push(companionService({ layout, paths, environment }, companionMain));
    specs.push(renewalChore({ name, paths, environment, certificateLifetimeMs }));
    return startSupervisor(paths.supervisor, specs, { signal });
  }

  async #waitReady(supervisor: SupervisorClient, signal: AbortSignal, services?: readonly string[]): Promise<void> {
    await supervisor.waitReady({
      services,
      timeoutMs: 120_000,
      signal,
      onChange: (service) => {
        this.#judge(service);
        if (service.state === "Ready" && services === undefined) this.#input.say(`${service.name} is ready`);
      },
    });
  }

  #judge(service: ServiceStatus): void {
    const judgement = judgeService(service);
    if (judgement === "well" || (judgement === "doubtful" && this.isTrusting)) return;
    this.#lost = service;
    this.isDoubtful = judgement === "doubtful";
    throw new Unavailable(`${service.name} failed to start: ${service.message}`);
  }

  /** Applies what the cluster needs before anything else: images, name resolution, permissions. */
  async #furnish(layout: NetworkLayout, images: readonly ImageDescription[], signal: AbortSignal): Promise<void> {
    await ensureImages(await imageStoreOf(this.#input.paths), images);
    const manifests = clusterManifests(layout, { coreDnsImage: engineImageNames().coredns });
    await this.#kubectl(signal).apply(manifests);
  }

  #kubectl(signal: AbortSignal | undefined): Kubectl {
    return new Kubectl({ program: this.#tools.kubectl, kubeconfig: this.#input.paths.kubeconfig, signal });
  }
}
