import { Pod } from "@butler/api-external";
import type { ApiClient, Transport } from "@butler/kube";
import { isBeingDeleted } from "@butler/resource";
import { sleep, systemClock } from "@butler/std";
import { ignoreRaces } from "@butler/testkit";

/** Simulates a scheduler and a kubelet: every new pod becomes ready immediately. */
export class PlayedPods {
  readonly #client: ApiClient;
  readonly #transport: Transport;
  /** Whether new pods become ready; existing ones stay ready. */
  areComingUp = true;

  constructor({ client, transport }: { client: ApiClient; transport: Transport }) {
    this.#client = client;
    this.#transport = transport;
  }

  /** Runs until the signal aborts. */
  async play(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { items } = await this.#client.list(Pod, { signal });
        await Promise.all((items as unknown as Pod[]).map((pod) => this.#step(pod).catch(ignoreRaces)));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      await sleep(systemClock, 20, signal).catch(() => undefined);
    }
  }

  async #step(pod: Pod): Promise<void> {
    if (isBeingDeleted(pod)) await this.#bury(pod);
    else if (this.areComingUp && pod.status?.phase !== "Running") await this.#bringUp(pod);
  }

  async #bringUp(pod: Pod): Promise<void> {
    const { name, namespace } = pod.metadata;
    if (pod.spec.nodeName === undefined) {
      const target = { apiVersion: "v1", kind: "Node", name: "node-1" };
      const body = { apiVersion: "v1", kind: "Binding", metadata: { name }, target };
      await this.#transport.json({ method: "POST", path: `${pathOf(pod)}/binding`, body, action: `bind pod ${name}` });
    }
    const now = new Date().toISOString();
    const conditions = ["Initialized", "ContainersReady", "Ready"].map((type) => {
      return { type, status: "True", lastTransitionTime: now };
    });
    const patch = { status: { phase: "Running", podIP: "10.9.9.9", conditions } };
    await this.#client.patch(Pod, { name, namespace }, { type: "merge", subresource: "status", patch });
  }

  async #bury(pod: Pod): Promise<void> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 };
    const action = `bury pod ${pod.metadata.name}`;
    await this.#transport.json({ method: "DELETE", path: pathOf(pod), body, action });
  }
}

function pathOf({ metadata: { name, namespace } }: Pod): string {
  return `/api/v1/namespaces/${namespace ?? ""}/pods/${name}`;
}
