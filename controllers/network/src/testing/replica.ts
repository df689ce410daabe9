import { connect, loadKubeConfig } from "@butler/kube";
import type { NetworkHarness } from "./network-harness.ts";
import { FaultyClient, type Faults } from "./faulty-client.ts";

interface ReplicaOptions {
  readonly random: () => number;
  readonly faults: Faults;
}

/**
 * One of two replicas that both work on all objects, with separate caches; it crashes now and then and is restarted.
 */
export class Replica {
  readonly #harness: NetworkHarness;
  readonly #options: ReplicaOptions;
  #running: Promise<{ kill: () => Promise<void> }> | undefined;
  #isStopped = false;
  crashes = 0;

  constructor(harness: NetworkHarness, options: ReplicaOptions) {
    this.#harness = harness;
    this.#options = options;
  }

  start(): void {
    const { client, close } = connect(loadKubeConfig(this.#harness.cluster.controlPlane.kubeconfigPath));
    const faulty = new FaultyClient(client, { ...this.#options, onCrash: () => void this.#restart() });
    this.#running = this.#harness.run({ client: faulty });
    this.#harness.later(close);
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
