import { DataStore } from "@butler/api";
import { EtcdAdmin } from "@butler/etcd";
import type { KubeClient } from "@butler/kube";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { FakeClock, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStoreConnections, type StoreConnections, type StoreConnectionsOptions } from "./store-connection.ts";
import { dataStoreAt, startStores, type StoreHarness } from "./testing/store-harness.ts";

let cluster: TestCluster;
let harness: StoreHarness;

function connectionsWith(options: Partial<StoreConnectionsOptions> = {}): StoreConnections {
  const connections = createStoreConnections({ client: cluster.client, ...options });
  harness.later(() => connections.close());
  return connections;
}

beforeAll(async () => {
  ({ cluster, harness } = await startStores());
});
afterEach(() => harness?.tidy());
afterAll(() => cluster?.stop());

describe("connections", () => {
  it("are shared, and recreated when the content of a Secret has changed", async () => {
    const etcd = await harness.startEtcd();
    await harness.createStore("pooled", [etcd.endpoint]);
    const clock = new FakeClock();
    const reads: string[] = [];
    const client: Pick<KubeClient, "find"> = {
      find: (kind, key, signal) => {
        reads.push(kind.kind);
        return cluster.client.find(kind, key, signal);
      },
    };
    const connections = connectionsWith({ client, clock });
    const admins = await Promise.all(Array.from({ length: 20 }, () => connections.admin("pooled")));
    expect(new Set(admins).size).toBe(1);
    expect(reads).toEqual(["DataStore", "Secret"]);
    const [first] = admins;
    await first?.enableAuth();

    const replaced = await harness.issue("root");
    await harness.putSecret(replaced);
    expect(await connections.admin("pooled")).toBe(first);
    clock.advance(30_000);
    const second = await connections.admin("pooled");
    expect(second).not.toBe(first);
    expect((await connections.material("pooled")).client).toEqual(replaced);
    // Calls in flight may finish.
    await first?.listUsers();
    expect(await second.listUsers()).toEqual(["root"]);
    clock.advance(60_000);
    await expect(first?.listUsers()).rejects.toThrow(/closed/);
  });

  it("survive an unavailable API server, but not the deletion of their DataStore", async () => {
    const etcd = await harness.startEtcd();
    await harness.createStore("lasting", [etcd.endpoint]);
    const clock = new FakeClock();
    let isDown = false;
    const client: Pick<KubeClient, "find"> = {
      find: async (kind, key, signal) => {
        if (isDown) throw new Unavailable("the API server is away");
        return cluster.client.find(kind, key, signal);
      },
    };
    const connections = connectionsWith({ client, clock });
    const admin = await connections.admin("lasting");
    isDown = true;
    clock.advance(31_000);
    expect(await connections.admin("lasting")).toBe(admin);
    isDown = false;
    await cluster.client.delete(DataStore, { name: "lasting" });
    await expect(connections.admin("lasting")).rejects.toMatchObject({ code: "NOT_FOUND", hint: /Create it/ });
    await expect(admin.status()).rejects.toThrow(/closed/);
  });

  it("to dedicated stores are separate from those to DataStores", async () => {
    const connections = connectionsWith();
    const root = await harness.issue("root");
    const connection = { endpoints: ["127.0.0.1:1"], ca: harness.authority.cert, ...root };
    const admin = connections.adminOf("team/blue", connection);
    expect(connections.adminOf("team/blue", { ...connection })).toBe(admin);
    expect(connections.adminOf("team/green", connection)).not.toBe(admin);
    expect(connections.adminOf("team/blue", { ...connection, endpoints: ["127.0.0.1:2"] })).not.toBe(admin);
    expect(admin).toBeInstanceOf(EtcdAdmin);
  });

  it("are rejected for a DataStore without a shared store", async () => {
    const manifest = dataStoreAt("apart", []) as DynamicObject;
    await cluster.client.create(DataStore, { ...manifest, spec: { driver: "etcd", dedicated: {} } } as KubeObject);
    const connections = connectionsWith();
    await expect(connections.admin("apart")).rejects.toThrow(/each control plane gets its own etcd/);
  });
});
