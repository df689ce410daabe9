import { Pod } from "@butler/api-external";
import { LocalMachine } from "@butler/api";
import type { ApiClient, Transport } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import { sleep, systemClock } from "@butler/std";
import { ignoreRaces } from "@butler/testkit";
import { runningPodStatus } from "./objects.ts";

/** Simulates a scheduler and a kubelet. */
export class PlayedKubelet {
  readonly #client: ApiClient;
  readonly #transport: Transport;
  readonly #namespace: string;

  constructor({ client, transport }: { client: ApiClient; transport: Transport }, namespace: string) {
    this.#client = client;
    this.#transport = transport;
    this.#namespace = namespace;
  }

  /** Binds a pod to a node. */
  async bind(name: string): Promise<void> {
    await this.#transport.json({
      method: "POST",
      path: `${this.#path(name)}/binding`,
      body: {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name },
        target: { apiVersion: "v1", kind: "Node", name: "node-1" },
      },
      action: `bind pod ${name}`,
    });
  }

  /** Sets a pod's status. */
  async report(name: string, status: Pod["status"]): Promise<void> {
    const key = { name, namespace: this.#namespace };
    await this.#client.patch(Pod, key, { type: "merge", subresource: "status", patch: { status } });
  }

  /** Removes a pod whose grace period has expired. */
  async bury(name: string): Promise<void> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 };
    await this.#transport.json({ method: "DELETE", path: this.#path(name), body, action: `bury pod ${name}` });
  }

  /** Starts every machine and stops every deleted pod, each step once the controller has reported the previous one. */
  async play(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { items } = await this.#client.list(Pod, { namespace: this.#namespace });
      for (const pod of items as unknown as Pod[]) await this.#step(pod).catch(ignoreRaces);
      await sleep(systemClock, 10, signal).catch(() => undefined);
    }
  }

  async #step(pod: Pod): Promise<void> {
    const { name } = pod.metadata;
    const machine = await this.#client.find(LocalMachine, { name, namespace: this.#namespace });
    const { phase, observedGeneration } = machine?.status ?? {};
    if (isBeingDeleted(pod)) return phase === "Deleting" ? this.bury(name) : undefined;
    if (machine === undefined || observedGeneration !== machine.metadata.generation) return;
    await this.#advance(pod, machine.status);
  }

  async #advance({ metadata: { name }, spec, status }: Pod, machine: LocalMachine["status"]): Promise<void> {
    if (spec.nodeName === undefined) return this.bind(name);
    const [container] = status?.containerStatuses ?? [];
    if (container === undefined)
      return machine?.nodeName === undefined ? undefined : this.report(name, runningPodStatus());
    if (machine?.initialization?.provisioned === true && !container.ready) {
      await this.report(name, runningPodStatus({ ready: true }));
    }
  }

  #path(name: string): string {
    return `/api/v1/namespaces/${this.#namespace}/pods/${name}`;
  }
}
