import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CacheSet } from "./cache-set.ts";
import { connect } from "../client/connect.ts";
import { KubeConfig } from "@kubernetes/client-node";

const kind = builtinKinds.ConfigMap;
const namespace = "informer";

let cluster: TestCluster;
let folder: string;
let tokenTable: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butler-informer-"));
  tokenTable = join(folder, "tokens.csv");
  await writeToken("first-token");
  const extraArgs = { "token-auth-file": tokenTable };
  cluster = await aTestCluster({ mine: { components: { "kube-apiserver": { extraArgs } } } });
  await cluster.createNamespace(namespace);
});
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

const tokenFile = (): string => join(folder, "token");

/** Lets the API server, once restarted, accept this token and no other, and hands it to the client. */
async function writeToken(token: string): Promise<void> {
  await writeFile(tokenTable, `${token},reader,reader-1,system:masters\n`);
  await writeFile(tokenFile(), token);
}

function make(name: string, labels: Record<string, string> = {}): Promise<DynamicObject> {
  return cluster.client.create(kind, { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, labels } });
}

describe("an informer on a real API server", () => {
  it("continues with new credentials when its token has expired, without losing an event", async () => {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [
        {
          name: "c",
          server: cluster.controlPlane.server,
          caData: Buffer.from(cluster.controlPlane.caPem).toString("base64"),
        },
      ],
      users: [{ name: "u", authProvider: { name: "tokenFile", config: { tokenFile: tokenFile() } } }],
      contexts: [{ name: "x", cluster: "c", user: "u" }],
      currentContext: "x",
    });
    const metrics = new MetricsRegistry();
    const connected = connect(config, { metrics });
    const stopping = new AbortController();
    const caches = new CacheSet(connected.client, { metrics });
    const informer = caches.of(kind, { namespace });
    const seen: string[] = [];
    informer.addHandler(({ type, object }) => seen.push(`${type} ${object.metadata.name}`));
    await caches.start(stopping.signal);
    await make("before-expiry");
    await eventually(() => seen.includes("add before-expiry"));
    await writeToken("second-token");
    await cluster.controlPlane.restartApiServer();
    await make("after-expiry");
    await eventually(() => seen.includes("add after-expiry"), { what: () => `after-expiry among ${seen.join(", ")}` });
    const restarts = await metrics.value("butler_informer_watch_restarts_total", { reason: "unauthenticated" });
    expect(restarts).toBeGreaterThanOrEqual(1);
    expect(seen.filter((line) => line.endsWith("-expiry"))).toEqual(["add before-expiry", "add after-expiry"]);
    stopping.abort();
    await caches.stopped();
    await connected.close();
  });

  it("caches only metadata when configured, and only what a selector matches", async () => {
    await cluster.client.create(kind, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "heavy", namespace, labels: { tier: "gold" } },
      data: { text: "x" },
    } as DynamicObject);
    await make("light", { tier: "tin" });
    const stopping = new AbortController();
    const caches = new CacheSet(cluster.client);
    const informer = caches.of(kind, { namespace, labelSelector: "tier=gold", metadataOnly: true });
    await caches.start(stopping.signal);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(["heavy"]);
    expect(informer.get({ name: "heavy", namespace })).not.toHaveProperty("data");
    await make("later", { tier: "gold" });
    const later = await eventually(() => informer.get({ name: "later", namespace }));
    expect(later).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", metadata: { labels: { tier: "gold" } } });
    expect(() => (later.metadata.name = "changed")).toThrow(TypeError);
    stopping.abort();
    await caches.stopped();
  });

  it("is shared per kind and scope, updates indexes, and shows a write before the watch event", async () => {
    const stopping = new AbortController();
    const caches = new CacheSet(cluster.client);
    const informer = caches.of(kind, { namespace });
    expect(caches.of(kind, { namespace })).toBe(informer);
    informer.addIndex("colour", ({ metadata }) => [metadata.labels?.["colour"] ?? "none"]);
    await caches.start(stopping.signal);
    const written = await make("painted", { colour: "red" });
    caches.noteWrite(kind, written);
    expect(informer.byIndex("colour", "red").map(({ metadata }) => metadata.name)).toEqual(["painted"]);
    await cluster.client.delete(kind, { name: "painted", namespace });
    await eventually(() => informer.byIndex("colour", "red").length === 0);
    caches.noteWrite(kind, written);
    expect(informer.get({ name: "painted", namespace })).toBeUndefined();
    stopping.abort();
    await caches.stopped();
  });
});
