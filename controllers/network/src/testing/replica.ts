import { connect, loadKubeConfig } from "@butler/kube";
import type { NetworkWorld } from "./network-world.ts";
import { FaultyClient, type Faults } from "./faulty-client.ts";

interface ReplicaOptions {
  readonly random: () => number;
  readonly faults: Faults;
}

/**
 * One of two replicas that both work on all objects, with separate caches; it crashes now and then and is restarted.
 */
export class Replica {
  readonly #world: NetworkWorld;
  readonly #options: ReplicaOptions;
  #running: Promise<{ kill: () => Promise<void> }> | undefined;
  #isStopped = false;
  crashes = 0;

  constructor(world: NetworkWorld, options: ReplicaOptions) {
    this.#world = world;
    this.#options = options;
  }

  start(): void {
    const { client, close } = connect(loadKubeConfig(this.#world.cluster.controlPlane.kubeconfigPath));
    const faulty = new FaultyClient(client, { ...this.#options, onCrash: () => void this.#restart() });
    this.#running = this.#world.run({ client: faulty });
    this.#world.later(close);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await (await this.#running)?.kill();
  }

  async #restart(): Promise<void> {
    const dead = this.#running;
    this.crashes += 1;
    if (!this.#isStopped) this.start();
    await (await dead)?.kill();
  }
}
