import { IPAllocation, NetworkPool, TenantCluster } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { CacheSet, type KubeClient } from "@butler/kube";
import { type Condition, findCondition, keyText, type Kind, type KubeObject, type ObjectKey } from "@butler/resource";
import { type Clock, ignoreNotFound } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import {
  connectAsController,
  eventually,
  quickQueue,
  runControllers,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { createNetworkControllers, optionalNetworkKinds } from "../network-controllers.ts";
import { namespace } from "./objects.ts";

const kinds = [IPAllocation, NetworkPool, TenantCluster];

interface RunOptions {
  readonly client?: KubeClient;
  readonly clock?: Clock;
  readonly intercept?: Interceptor;
  readonly orphanGraceMs?: number;
}

/** Helpers for address tests against a real API server, and their cleanup. */
export class NetworkHarness {
  readonly #undo: (() => unknown)[] = [];
  readonly cluster: TestCluster;

  private constructor(cluster: TestCluster) {
    this.cluster = cluster;
  }

  static async start(): Promise<NetworkHarness> {
    const cluster = await aTestCluster({ resources: kinds });
    for (const place of [namespace, "payments"]) await cluster.createNamespace(place);
    return new NetworkHarness(cluster);
  }

  get client(): TestCluster["client"] {
    return this.cluster.client;
  }

  /** Registers a cleanup for the end of the test. */
  later(step: () => unknown): void {
    this.#undo.push(step);
  }

  /** Runs the controllers with separate caches, like one process, and records what they do. */
  async run(options: RunOptions = {}) {
    const { client = this.client, intercept = (_effect, run) => run(), ...others } = options;
    const caches = new CacheSet(client, { optionalKinds: optionalNetworkKinds });
    const metrics = new MetricsRegistry();
    const written: string[] = [];
    const runtimes = createNetworkControllers({
      client,
      caches,
      metrics,
      queue: quickQueue,
      intercept: async (effect, run) => {
        const result = await intercept(effect, run);
        written.push(`${effect.verb} ${effect.target}`);
        return result;
      },
      ...others,
    });
    const { kill, stop } = await runControllers(caches, runtimes);
    this.later(kill);
    const isIdle = (): boolean => runtimes.every((runtime) => runtime.isIdle);
    return { runtimes, metrics, written, kill, stop, isIdle };
  }

  /** The API server as seen by a process with only the permissions that controllers declare. */
  async asController(name: string, definitions: Parameters<typeof connectAsController>[2]): Promise<KubeClient> {
    const { client, close } = await connectAsController(this.cluster, name, definitions);
    this.later(close);
    return client;
  }

  /** Creates an object from a builder, without the fields that only the API server may set. */
  async create(kind: Kind, object: KubeObject): Promise<void> {
    const { name, namespace: place, labels, annotations } = object.metadata;
    await this.client.create(kind, { ...object, metadata: { name, namespace: place, labels, annotations } });
  }

  /** Waits until the Ready condition of an object has a reason. */
  async ready<K extends Kind>(kind: K, key: ObjectKey, reason: string) {
    let last: unknown;
    return eventually(
      async () => {
        const found = await this.client.get(kind, key);
        const { status } = found as KubeObject & { status?: { conditions?: Condition[] } };
        last = status?.conditions;
        return findCondition(status?.conditions, "Ready")?.reason === reason && found;
      },
      { timeoutMs: 20_000, what: () => `${keyText(key)} with ${reason}; last seen ${JSON.stringify(last)}` },
    );
  }

  async gone(kind: Kind, key: ObjectKey, timeoutMs = 30_000): Promise<void> {
    const isGone = async (): Promise<boolean> => (await this.client.find(kind, key)) === undefined;
    await eventually(isGone, { timeoutMs, what: `the end of ${kind.kind} ${keyText(key)}` });
  }

  /** Stops everything in reverse order, and deletes all objects. */
  async tidy(): Promise<void> {
    for (const step of this.#undo.splice(0).reverse()) await step();
    for (const kind of kinds) {
      for (const { metadata } of (await this.client.list(kind)).items) await this.tidyAway(kind, metadata);
    }
  }

  /** Deletes an object if it exists, regardless of finalizers. */
  async tidyAway(kind: Kind, key: ObjectKey): Promise<void> {
    const patch = { metadata: { finalizers: null } };
    await this.client.patch(kind, key, { type: "merge", patch }).catch(ignoreNotFound);
    await this.client.delete(kind, key).catch(ignoreNotFound);
  }

  async stop(): Promise<void> {
    await this.tidy();
    await this.cluster.stop();
  }
}
