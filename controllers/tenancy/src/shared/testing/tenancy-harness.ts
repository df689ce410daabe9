import type { ApiClient, ConnectedClient } from "@butler/kube";
import { type Condition, findCondition, keyText, type Kind, type KubeObject, type ObjectKey } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { connectAs, connectAsController, eventually, type TestCluster } from "@butler/testkit";

/** Helpers of tenancy tests against a real API server, and their cleanup. */
export class TenancyHarness {
  readonly #undo: (() => unknown)[] = [];
  readonly cluster: TestCluster;
  readonly #kinds: readonly Kind[];

  constructor(cluster: TestCluster, kinds: readonly Kind[]) {
    this.cluster = cluster;
    this.#kinds = kinds;
  }

  get client(): ApiClient {
    return this.cluster.client;
  }

  /** Registers a cleanup for the end of the test. */
  later(step: () => unknown): void {
    this.#undo.push(step);
  }

  /** A client of a user who has only the granted roles. */
  async as(user: string, groups: readonly string[] = []): Promise<ApiClient> {
    return this.#untilTheEnd(await connectAs(this.cluster, user, groups));
  }

  /** A client with only the permissions that a controller declares. */
  async asController(definition: Parameters<typeof connectAsController>[2][number]): Promise<ApiClient> {
    return this.#untilTheEnd(await connectAsController(this.cluster, definition.name, [definition]));
  }

  #untilTheEnd({ client, close }: ConnectedClient): ApiClient {
    this.later(close);
    return client;
  }

  /** Creates an object from a builder, without the fields that only the API server may set. */
  async create(kind: Kind, object: KubeObject): Promise<void> {
    const { name, namespace, labels, annotations, finalizers } = object.metadata;
    const metadata = { name, namespace, labels, annotations, finalizers };
    await this.client.create(kind, { ...object, metadata });
  }

  async merge(kind: Kind, key: ObjectKey, patch: object): Promise<void> {
    await this.client.patch(kind, key, { type: "merge", patch });
  }

  async mergeStatus(kind: Kind, key: ObjectKey, status: object): Promise<void> {
    await this.client.patch(kind, key, { type: "merge", subresource: "status", patch: { status } });
  }

  /** Waits until the Ready condition of an object has a reason for its current generation. */
  async ready<K extends Kind>(kind: K, key: ObjectKey, reason = "Ready") {
    let last: unknown;
    return eventually(
      async () => {
        const found = await this.client.get(kind, key);
        const { metadata, status } = found as KubeObject & { status?: { conditions?: Condition[] } };
        last = status?.conditions;
        const condition = findCondition(status?.conditions, "Ready");
        return condition?.reason === reason && condition.observedGeneration === metadata.generation && found;
      },
      { timeoutMs: 20_000, what: () => `${keyText(key)} with ${reason}; last seen ${JSON.stringify(last)}` },
    );
  }

  async gone(kind: Kind, key: ObjectKey): Promise<void> {
    const isGone = async (): Promise<boolean> => (await this.client.find(kind, key)) === undefined;
    await eventually(isGone, { timeoutMs: 30_000, what: `the end of ${kind.kind} ${keyText(key)}` });
  }

  /** Runs all cleanups in reverse order, and deletes every object of the test's kinds. */
  async tidy(): Promise<void> {
    for (const step of this.#undo.splice(0).reverse()) await step();
    for (const kind of this.#kinds) {
      for (const object of (await this.client.list(kind)).items)
        await this.tidyAway(kind, (object as KubeObject).metadata);
    }
  }

  /** Deletes an object if it exists, including its finalizers. */
  async tidyAway(kind: Kind, key: ObjectKey): Promise<void> {
    await this.merge(kind, key, { metadata: { finalizers: null } }).catch(ignoreNotFound);
    await this.client.delete(kind, key).catch(ignoreNotFound);
  }
}
