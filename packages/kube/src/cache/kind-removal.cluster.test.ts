import { builtinKinds, type DynamicObject, type Kind, kindId } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, installLooseCrds, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CacheSet } from "./cache-set.ts";

const { CustomResourceDefinition } = builtinKinds;
const kind: Kind = { group: "example.com", version: "v1", kind: "Widget", plural: "widgets", scope: "Namespaced" };
const namespace = "default";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster();
});
afterAll(() => cluster?.stop());

const make = (name: string): Promise<DynamicObject> =>
  cluster.client.create(kind, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, namespace } });

async function removeKind(): Promise<void> {
  const name = kindId(kind);
  await cluster.client.delete(CustomResourceDefinition, { name });
  await eventually(async () => (await cluster.client.find(CustomResourceDefinition, { name })) === undefined);
}

describe("an informer whose kind is removed and comes back", () => {
  it.each([
    ["an optional kind", [kind]],
    ["a mandatory kind", []],
  ])("loses no event, and holds nothing in between: %s", async (_title, optionalKinds) => {
    await installLooseCrds(cluster.client, [kind]);
    await make("first");
    const stopping = new AbortController();
    const metrics = new MetricsRegistry();
    const caches = new CacheSet(cluster.client, {
      metrics,
      optionalKinds,
      informer: { backoff: { initialMs: 20, maximumMs: 200, factor: 2, jitter: 0.3 } },
    });
    const informer = caches.of(kind);
    const seen: string[] = [];
    const states: string[] = [];
    informer.addHandler(({ type, object }) => seen.push(`${type} ${object.metadata.name}`));
    informer.onServingChange(() => states.push(`${informer.serving} with ${informer.size}`));
    await caches.start(stopping.signal);
    const stale = informer.get({ name: "first", namespace }) ?? expect.fail("not listed");
    await removeKind();
    await eventually(() => informer.serving === "absent");
    expect([informer.size, informer.isSynced, informer.isUsable]).toEqual([0, false, false]);
    expect(caches.isHealthy).toBe(optionalKinds.length > 0);
    expect(await metrics.value("butler_informer_kind_served", { kind: kindId(kind) })).toBe(0);
    // A late response to a write must not bring back an object that was deleted with its kind.
    caches.noteWrite(kind, { ...stale, metadata: { ...stale.metadata, resourceVersion: "999999999" } });
    expect(informer.size).toBe(0);
    await installLooseCrds(cluster.client, [kind]);
    await make("second");
    await make("first");
    await eventually(() => informer.isUsable && informer.size === 2);
    expect(caches.faults).toEqual([]);
    expect(seen.slice(0, 2)).toEqual(["add first", "delete first"]);
    expect(seen.slice(2).sort()).toEqual(["add first", "add second"]);
    expect(states[0]).toBe("served with 1");
    expect(states[1]).toBe("absent with 0");
    expect(states).toHaveLength(3);
    stopping.abort();
    await caches.stopped();
    await removeKind();
  });

  it("does not delay the start of a process when it is missing from the beginning, and is followed once installed", async () => {
    const stopping = new AbortController();
    const informer = { backoff: { initialMs: 20, maximumMs: 200, factor: 2, jitter: 0.3 } };
    const caches = new CacheSet(cluster.client, { optionalKinds: [kind], informer });
    const widgets = caches.of(kind);
    await caches.start(stopping.signal);
    expect([caches.isHealthy, widgets.serving]).toEqual([true, "absent"]);
    await installLooseCrds(cluster.client, [kind]);
    await make("late");
    await eventually(() => widgets.get({ name: "late", namespace }));
    stopping.abort();
    await caches.stopped();
  });
});
