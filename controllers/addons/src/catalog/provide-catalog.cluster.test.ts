import { AddonDefinition, builtinSource, labels } from "@butler/api";
import { SingletonRuntime } from "@butler/controller";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinCatalog, type CatalogPorts, catalogSingleton } from "./provide-catalog.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [AddonDefinition] });
});
afterAll(() => cluster?.stop());

const provide = (
  ports: CatalogPorts = { client: cluster.client },
  signal: AbortSignal = new AbortController().signal,
): Promise<void> => new SingletonRuntime(catalogSingleton, { ports }).run(signal);
const entries = async (): Promise<readonly AddonDefinition[]> => (await cluster.client.list(AddonDefinition)).items;

describe("the built-in catalog", () => {
  it("is applied completely, and custom entries stay unchanged", async () => {
    const [first, second] = builtinCatalog;
    if (first === undefined || second === undefined) throw new Error("the catalog is empty");
    const own = { ...first, metadata: { name: first.metadata.name }, spec: { ...first.spec, displayName: "Our own" } };
    await cluster.client.create(AddonDefinition, own);
    await provide();
    const there = await entries();
    expect(there.map(({ metadata }) => metadata.name).sort()).toEqual(
      builtinCatalog.map(({ metadata }) => metadata.name).sort(),
    );
    const named = (name: string) => there.find(({ metadata }) => metadata.name === name);
    expect(named(first.metadata.name)?.spec.displayName).toBe("Our own");
    expect(named(second.metadata.name)?.metadata.labels?.[labels.source]).toBe(builtinSource);
  });

  it("is updated, and written only where it is outdated", async () => {
    const before = await entries();
    const [, stale] = builtinCatalog;
    if (stale === undefined) throw new Error("the catalog is empty");
    await cluster.client.patch(AddonDefinition, stale.metadata, {
      type: "merge",
      patch: { spec: { displayName: "Of an earlier release" } },
    });
    await provide();
    const after = await entries();
    const version = (of: readonly AddonDefinition[], name: string) =>
      of.find(({ metadata }) => metadata.name === name)?.metadata.resourceVersion;
    for (const { metadata } of before) {
      if (metadata.name !== stale.metadata.name) expect(version(after, metadata.name)).toBe(metadata.resourceVersion);
    }
    expect(after.find(({ metadata }) => metadata.name === stale.metadata.name)?.spec).toEqual(stale.spec);
  });

  it("is applied once the webhook serves, and never after the signal aborts", async () => {
    let refusals = 3;
    const find: typeof cluster.client.find = async (...given) => {
      if (refusals-- > 0) throw new Error("the webhook is unreachable");
      return cluster.client.find(...given);
    };
    const some = builtinCatalog.slice(0, 2);
    const client = { find, apply: cluster.client.apply.bind(cluster.client) };
    await provide({ client, definitions: some });
    expect(refusals).toBeLessThan(0);
    const never = { ...client, find: () => Promise.reject(new Error("the webhook is unreachable")) };
    const ended = AbortSignal.timeout(50);
    await provide({ client: never, definitions: some }, ended);
    expect(ended.aborted).toBe(true);
  });
});
