import { DataStore } from "@butler/api";
import { type Interceptor, passThrough, SingletonRuntime } from "@butler/controller";
import { faultOf } from "@butler/pki";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { crashAfterEverySideEffect, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "./content-ref.ts";
import { type DefaultDataStoreSettings, sharedEtcdPlace } from "./default-data-store.ts";
import { defaultDataStoreSingleton, ensureDefaultDataStore } from "./ensure-default-data-store.ts";
import { etcdSecretName, etcdSecretNeeds } from "./etcd-certificates.ts";
import { etcdKinds } from "./kinds.ts";
import { dataStoreAt } from "./testing/store-harness.ts";

const { Secret } = builtinKinds;
const { StatefulSet } = etcdKinds;
const namespace = "butler-system";
const settings: DefaultDataStoreSettings = { namespace, members: 1, storage: { size: "2Gi" } };
const place = sharedEtcdPlace(settings);
const etcd = { name: place.name, namespace };
const kinds = [Secret, ...Object.values(etcdKinds)];

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [DataStore] });
  await cluster.createNamespace(namespace);
});
afterEach(() => cluster && removeAll());
afterAll(() => cluster?.stop());

async function everything(): Promise<DynamicObject[]> {
  const inNamespace = await Promise.all(kinds.map((kind) => cluster.client.list(kind, { namespace })));
  const { items } = await cluster.client.list(DataStore);
  return [...inNamespace.flatMap((page) => page.items), ...(items as unknown as DynamicObject[])];
}

async function removeAll(): Promise<void> {
  for (const { kind, metadata } of await everything()) {
    const found = [DataStore, ...kinds].find((each) => each.kind === kind) ?? DataStore;
    await cluster.client.delete(found, { name: metadata.name, namespace: metadata.namespace });
  }
}

/** Runs it once, and returns the warnings. */
async function ensure(wanted = settings): Promise<string[]> {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_message: string, fields = {}) => warnings.push(JSON.stringify(fields)) };
  await ensureDefaultDataStore({ client: cluster.client, settings: wanted, logger }, AbortSignal.timeout(30_000));
  return warnings;
}

/** Does it with retries. */
const provide = (intercept: Interceptor, signal: AbortSignal): Promise<void> =>
  new SingletonRuntime(defaultDataStoreSingleton, { ports: { client: cluster.client, settings }, intercept }).run(
    signal,
  );

const versions = async (): Promise<string[]> =>
  (await everything()).map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`).sort();

const secretOf = (id: "ca" | "peerCA" | "server" | "root"): Promise<DynamicObject> =>
  cluster.client.get(Secret, { name: etcdSecretName(place, id), namespace });

/** The fault of each certificate, checked against the CA that should have signed it. */
async function faults(): Promise<Record<string, string>> {
  const read = async (name: string, files: { cert: string; key: string }) => {
    const secret = await cluster.client.get(Secret, { name, namespace });
    return { cert: textOf(secret, files.cert) ?? "", key: textOf(secret, files.key) ?? "" };
  };
  const needs = etcdSecretNeeds(place);
  const found = needs.map(async (need) => {
    const pair = await read(need.secretName, need.files);
    if (need.kind === "authority") return [need.id, faultOf(pair, { now: new Date() }) ?? "none"] as const;
    const signer = needs.find(({ id }) => id === need.signer) ?? expect.fail("no signer");
    const { cert: authority } = await read(signer.secretName, signer.files);
    return [need.id, faultOf(pair, { now: new Date(), request: need.request, authority }) ?? "none"] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

const sound = { ca: "none", peerCA: "none", server: "none", peer: "none", root: "none" };

const patchEtcd = (patch: object, fieldManager = "a-person") =>
  cluster.client.patch(StatefulSet, etcd, { type: "strategic", patch, fieldManager });
const container = (fields: object) => ({
  spec: { template: { spec: { containers: [{ name: "etcd", ...fields }] } } },
});

async function containerOf(): Promise<Record<string, unknown>> {
  const { spec } = (await cluster.client.get(StatefulSet, etcd)) as unknown as {
    spec: { template: { spec: { containers: [Record<string, unknown>] } } };
  };
  return spec.template.spec.containers[0];
}

describe("the default DataStore", () => {
  it("consists of objects that the API server accepts, with matching keys", async () => {
    expect(await ensure()).toEqual([]);
    expect(await faults()).toEqual(sound);
    const { spec } = await cluster.client.get(DataStore, { name: "default" });
    expect(spec.endpoints).toEqual([`default-etcd-0.default-etcd.${namespace}.svc:2379`]);
  });

  it("is not written again when nothing has changed", async () => {
    await ensure();
    const before = await versions();
    expect(await ensure()).toEqual([]);
    expect(await versions()).toEqual(before);
  });

  it("is recreated with the same keys when it is deleted", async () => {
    await ensure();
    const before = (await secretOf("ca"))["data"];
    await cluster.client.delete(DataStore, { name: "default" });
    await cluster.client.delete(Secret, { name: etcdSecretName(place, "root"), namespace });
    await ensure();
    expect((await secretOf("ca"))["data"]).toEqual(before);
    expect(await faults()).toEqual(sound);
    await cluster.client.get(DataStore, { name: "default" });
  });

  it("gets no new keys when a CA is lost", async () => {
    await ensure();
    await cluster.client.delete(Secret, { name: etcdSecretName(place, "ca"), namespace });
    const before = await versions();
    await expect(ensure()).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(`${namespace}/default-etcd-ca is missing`),
      hint: expect.stringContaining("backup"),
    });
    expect(await versions()).toEqual(before);
  });

  it("follows its settings", async () => {
    await ensure();
    const resources = { requests: { cpu: "250m", memory: "1Gi" } };
    expect(await ensure({ ...settings, image: "registry.example/etcd:3", resources })).toEqual([]);
    expect(await containerOf()).toMatchObject({ image: "registry.example/etcd:3", resources });
  });

  it("keeps its number of members and its volumes, and reports it", async () => {
    await ensure();
    const before = await versions();
    const warnings = await ensure({ ...settings, members: 3, storage: { size: "9Gi" } });
    expect(warnings).toEqual([expect.stringContaining("members is 1"), expect.stringContaining("storage is")]);
    expect(await versions()).toEqual(before);
  });

  it("keeps user changes, also when its settings change", async () => {
    await ensure();
    await patchEtcd(container({ image: "registry.example/of-a-person:1" }));
    await cluster.client.patch(
      DataStore,
      { name: "default" },
      { type: "merge", patch: { spec: { endpoints: ["a:1"] } } },
    );
    expect(await ensure()).toEqual([]);
    const warnings = await ensure({ ...settings, image: "registry.example/newer:2" });
    expect(warnings).toEqual([expect.stringMatching(/StatefulSet.*a-person/)]);
    expect(await containerOf()).toMatchObject({ image: "registry.example/of-a-person:1" });
    expect((await cluster.client.get(DataStore, { name: "default" })).spec.endpoints).toEqual(["a:1"]);
  });

  it("does not restore what users have removed", async () => {
    await ensure();
    await patchEtcd(container({ resources: { $patch: "replace", requests: { memory: "1Gi" } } }));
    expect(await ensure()).toEqual([]);
    expect(await containerOf()).toMatchObject({ resources: { requests: { memory: "1Gi" } } });
    expect((await containerOf())["resources"]).not.toHaveProperty("requests.cpu");
  });

  it("is not created when a user has created one of its name", async () => {
    await cluster.client.create(DataStore, dataStoreAt("default", ["elsewhere:2379"]));
    expect(await ensure()).toEqual([]);
    expect((await everything()).map(({ kind }) => kind)).toEqual(["DataStore"]);
  });

  it("can have another name", async () => {
    await ensure({ ...settings, name: "fast" });
    expect((await cluster.client.get(DataStore, { name: "fast" })).spec.endpoints).toEqual([
      `fast-etcd-0.fast-etcd.${namespace}.svc:2379`,
    ]);
  });

  it("is retried until it exists, however often it is rejected", async () => {
    let refusals = 3;
    const intercept: Interceptor = async (effect, run) => {
      if (effect.target.startsWith("DataStore") && refusals-- > 0) throw new Error("the webhook is not serving yet");
      return run();
    };
    await provide(intercept, AbortSignal.timeout(30_000));
    await cluster.client.get(DataStore, { name: "default" });
  });

  it("is not retried once the signal aborts", async () => {
    const stopping = new AbortController();
    const intercept: Interceptor = () => Promise.reject(new Error("never"));
    const ended = provide(intercept, stopping.signal);
    stopping.abort();
    await ended;
    expect(await everything()).toEqual([]);
  });
});

describe("Steward stopped after each step of creating the default DataStore", () => {
  it("still creates it, with one set of keys", async () => {
    const firstKeys = new Map<string, unknown>();
    const keys = async (): Promise<Map<string, unknown>> => {
      const { items } = await cluster.client.list(Secret, { namespace });
      return new Map(items.map(({ metadata, data }) => [metadata.name, data]));
    };
    const report = await crashAfterEverySideEffect(
      async () => {
        firstKeys.clear();
        await removeAll();
        const start = async (intercept: Interceptor = passThrough) => {
          let isDone = false;
          const noting: Interceptor = (effect, run) =>
            intercept(effect, async () => {
              const result = await run();
              // Existing objects must still exist at the end.
              for (const [name, data] of await keys()) if (!firstKeys.has(name)) firstKeys.set(name, data);
              return result;
            });
          const stopping = new AbortController();
          const work = async (): Promise<void> => {
            await provide(noting, stopping.signal);
            isDone = true;
          };
          void work();
          return { isSettled: () => isDone, stop: async () => stopping.abort() };
        };
        return {
          start,
          snapshot: async () => ({
            objects: (await everything()).map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort(),
            faults: await faults(),
            areKept: deepEqual(Object.fromEntries(await keys()), Object.fromEntries(firstKeys)),
          }),
          tearDown: removeAll,
        };
      },
      { timeoutMs: 30_000 },
    );
    expect(report.sideEffects.map(({ target }) => target)).toEqual([
      ...["ca", "peer-ca", "server", "peer", "root"].map((id) => `Secret ${namespace}/default-etcd-${id}`),
      ...["Service", "NetworkPolicy", "StatefulSet"].map((kind) => `${kind} ${namespace}/default-etcd`),
      "DataStore default",
    ]);
    expect(report.crashes).toBe(9);
    expect(report.endState).toMatchObject({ faults: sound, areKept: true });
  });
});
