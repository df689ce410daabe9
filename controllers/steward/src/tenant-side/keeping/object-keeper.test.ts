import { setImmediate } from "node:timers/promises";
import type { KubeClient, ListOptions, Page, WatchOptions, WatchStream } from "@butler/kube";
import { type DynamicObject, type Kind, kindId, type KubeObject } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { keptKinds } from "../kinds.ts";
import { ObjectKeeper } from "./object-keeper.ts";

/** An API server that answers the first list of ConfigMaps with a failure, and the others only when a test says so. */
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

const objects = [
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "kube-system" } },
  { apiVersion: "v1", kind: "Service", metadata: { name: "b", namespace: "kube-system" } },
];

describe("a keeper whose tenant answers only in part", () => {
  it("follows each kind once when it is asked again, and ends with its signal", async () => {
    const server = new SlowServer();
    const end = new AbortController();
    const keeper = new ObjectKeeper({
      client: server as unknown as KubeClient,
      clock: new FakeClock(),
      logger: silentLogger,
      onWrite: () => undefined,
      signal: end.signal,
    });
    const { signal } = new AbortController();
    const first = keeper.keep(objects, signal);
    const second = first.catch(() => keeper.keep(objects, signal));
    // Whoever does not wait for the slow answers is asked again before they come.
    await setImmediate();
    server.release.resolve();
    await expect(first).rejects.toThrow("connection refused");
    expect(await second).toBe(objects.length);
    expect(server.watched.toSorted()).toEqual([kindId(keptKinds.ConfigMap), kindId(keptKinds.Service)].toSorted());
    end.abort();
    await keeper.stopped();
  });
});
