import { setImmediate } from "node:timers/promises";
import type { KubeClient, ListOptions, Page, WatchOptions, WatchStream } from "@butler/kube";
import { type DynamicObject, type Kind, kindId, type KubeObject } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { eventually, FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { keptKinds } from "../kinds.ts";
import { ObjectReconciler } from "./object-reconciler.ts";

/** An API server that fails the first list of ConfigMaps, and responds to others when a test allows it. */
class SlowServer {
  readonly watched: string[] = [];
  readonly release = Promise.withResolvers<void>();
  #hasFailed = false;

  list = async (kind: Kind, { signal }: ListOptions = {}): Promise<Page<never>> => {
    signal?.throwIfAborted();
    if (kindId(kind) === kindId(keptKinds.ConfigMap) && !this.#hasFailed) {
      this.#hasFailed = true;
      throw new Unavailable("connection refused");
    }
    await this.release.promise;
    return { items: [], resourceVersion: "1", continueToken: undefined };
  };

  watch = (kind: Kind, { signal }: WatchOptions): Promise<WatchStream<never>> => {
    this.watched.push(kindId(kind));
    const end = Promise.withResolvers<never>();
    end.promise.catch(() => undefined);
    signal?.addEventListener("abort", () => end.reject(signal.reason));
    return Promise.resolve({
      bytesReceived: 0,
      close: (reason: Error) => end.reject(reason),
      [Symbol.asyncIterator]: () => ({ next: () => end.promise }),
    });
  };

  find = (): Promise<undefined> => Promise.resolve(undefined);

  apply = (_kind: Kind, object: KubeObject): Promise<DynamicObject> =>
    Promise.resolve({ ...object, metadata: { ...object.metadata, uid: "1", resourceVersion: "2" } } as DynamicObject);
}

/** An API server without objects whose first watch reports one that is deleted when the watch is interrupted. */
class ForgetfulServer extends SlowServer {
  readonly applied: string[] = [];
  readonly #told: DynamicObject;
  #watches = 0;

  constructor(told: KubeObject) {
    super();
    this.#told = { ...told, metadata: { ...told.metadata, uid: "1", resourceVersion: "2" } };
    this.release.resolve();
  }

  override list = (): Promise<Page<never>> =>
    Promise.resolve({ items: [], resourceVersion: String(10 * (1 + this.#watches)), continueToken: undefined });

  override watch = async (kind: Kind, options: WatchOptions): Promise<WatchStream<never>> => {
    this.watched.push(kindId(kind));
    const told = this.#told;
    const isFirst = this.#watches++ === 0;
    const stream = async function* (): AsyncGenerator<never> {
      if (isFirst) yield { type: "ADDED", object: told } as never;
      if (isFirst) throw new Unavailable("interrupted");
      await new Promise((_, reject) => options.signal?.addEventListener("abort", () => reject(new Error("over"))));
    };
    return { bytesReceived: 0, close: () => undefined, [Symbol.asyncIterator]: stream };
  };

  override apply = (_kind: Kind, object: KubeObject): Promise<DynamicObject> => {
    this.applied.push(object.metadata.name);
    return Promise.resolve(this.#told);
  };
}

const objects = [
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "kube-system" } },
  { apiVersion: "v1", kind: "Service", metadata: { name: "b", namespace: "kube-system" } },
];

describe("a tenant that answers only in part", () => {
  it("is followed once per kind on repeated calls, until the signal aborts", async () => {
    const server = new SlowServer();
    const end = new AbortController();
    const reconciler = new ObjectReconciler({
      client: server as unknown as KubeClient,
      clock: new FakeClock(),
      logger: silentLogger,
      onWrite: () => undefined,
      signal: end.signal,
    });
    const { signal } = new AbortController();
    const first = reconciler.keep(objects, signal);
    const second = first.catch(() => reconciler.keep(objects, signal));
    // A caller that does not wait for the slow answers is called again before they arrive.
    await setImmediate();
    server.release.resolve();
    await expect(first).rejects.toThrow("connection refused");
    expect(await second).toBe(objects.length);
    expect(server.watched.toSorted()).toEqual([kindId(keptKinds.ConfigMap), kindId(keptKinds.Service)].toSorted());
    end.abort();
    await reconciler.stopped();
  });
});

describe("an interrupted watch", () => {
  it("leads to the recreation of an object that was deleted meanwhile, even though the watch had reported it", async () => {
    const [configMap] = objects as [KubeObject, KubeObject];
    const server = new ForgetfulServer(configMap);
    const clock = new FakeClock();
    const end = new AbortController();
    const reconciler = new ObjectReconciler({
      client: server as unknown as KubeClient,
      clock,
      logger: silentLogger,
      onWrite: () => undefined,
      signal: end.signal,
    });
    await reconciler.keep([configMap], end.signal);
    await eventually(() => clock.pending === 1, { what: "the pause before the next list" });
    expect(server.applied).toEqual(["a"]);
    clock.advance(1_000);
    await eventually(() => server.applied.length === 2, { what: "the repair", timeoutMs: 5_000 });
    end.abort();
    await reconciler.stopped();
  });
});
