import { CacheSet, connect, type Informer, KubeConfig, type StoreEvent } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { chooseSeed, eventually, FaultProxy, seededRandom, startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Churn, fingerprint, listFingerprints } from "./churn.ts";

const objectCount = 20_000;
const writesPerRound = 2_000;
const leastChurn = 20_000;
const mostWrites = 120_000;
/** Every fault must have struck this often, or the fire was none. */
const leastStrikes = 3;
const kind = builtinKinds.ConfigMap;
const namespace = "churn";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTestCluster({ name: "informer" });
  await cluster.createNamespace(namespace);
});
afterAll(() => cluster?.stop());

/** What one listener has been told about one object over its life. */
class Witness {
  readonly states = new Map<string, string>();
  readonly repeated: string[] = [];
  readonly unexpected: string[] = [];
  readonly #told = new Set<string>();
  #uids = new Map<string, string>();

  readonly hear = (event: StoreEvent<DynamicObject>): void => {
    const { name, uid = "", resourceVersion = "" } = event.object.metadata;
    const told = `${event.type === "delete" ? "delete" : "state"} ${uid} ${event.type === "delete" ? "" : resourceVersion}`;
    if (this.#told.has(told)) this.repeated.push(`${name} ${told}`);
    this.#told.add(told);
    if (event.type === "delete") {
      if (this.#uids.get(name) !== uid) this.unexpected.push(`${name}: deleted an object it was never told of`);
      this.#uids.delete(name);
      this.states.delete(name);
      return;
    }
    if (event.type === "add" && this.#uids.has(name)) this.unexpected.push(`${name}: added twice`);
    if (event.type === "update" && this.#uids.get(name) !== uid) this.unexpected.push(`${name}: updated before added`);
    this.#uids.set(name, uid);
    this.states.set(name, fingerprint(event.object));
  };
}

function statesIn(informer: Informer<typeof kind>): Map<string, string> {
  return new Map(informer.list().map((object) => [object.metadata.name, fingerprint(object)]));
}

function firstDifference(left: Map<string, string>, right: Map<string, string>): string | undefined {
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    if (left.get(name) !== right.get(name)) return `${name}: ${left.get(name)} and ${right.get(name)}`;
  }
  return undefined;
}

describe("an informer under fire", () => {
  it(
    `ends with the truth: ${objectCount} objects under churn behind a proxy that mistreats every kind of request`,
    { timeout: 480_000 },
    async () => {
      const seed = chooseSeed();
      console.log(`seed ${seed} (repeat with BUTLER_TEST_SEED=${seed})`);
      const random = seededRandom(seed);
      const { server, caPem: ca, adminCert: cert, adminKey: key } = cluster.controlPlane;
      const { hostname: host, port } = new URL(server);
      const proxy = new FaultProxy({
        target: { host, port: Number(port), ca, cert, key },
        random,
        strikeWithinBytes: 20_000,
        decks: {
          list: { none: 40, drop: 2, stall: 1, corrupt: 2, halfClose: 2, gone: 1, throttle: 2 },
          watch: { none: 2, drop: 3, stall: 1, corrupt: 3, halfClose: 3, gone: 1, goneInStream: 1, throttle: 2 },
        },
      });
      const config = new KubeConfig();
      config.loadFromClusterAndUser(
        { name: "proxy", server: await proxy.start(), skipTLSVerify: true },
        { name: "nobody" },
      );
      const metrics = new MetricsRegistry();
      const behindProxy = connect(config, { requestTimeoutMs: 4_000, metrics });
      const stopping = new AbortController();
      try {
        const churn = new Churn(cluster.client, { namespace, random });
        await churn.create(objectCount);

        const caches = new CacheSet(behindProxy.client, {
          metrics,
          informer: {
            random,
            pageSize: 500,
            watchTimeoutSeconds: 4,
            stallTimeoutMs: 1_500,
            backoff: { initialMs: 20, maximumMs: 500, factor: 2, jitter: 0.5 },
          },
        });
        const informer = caches.of(kind, { namespace });
        const witnesses = [new Witness(), new Witness()];
        for (const { hear } of witnesses) informer.addHandler(hear);
        const started = caches.start(stopping.signal);
        const strikesOfRarest = (): number => Math.min(...Object.values(proxy.strikes));
        do await churn.write(writesPerRound);
        while (
          (churn.writes < objectCount + leastChurn || strikesOfRarest() < leastStrikes) &&
          churn.writes < mostWrites
        );
        await started;

        // The fire goes on until the cache is right; only then is it put out for the final count.
        const truth = await listFingerprints(cluster.client, kind, namespace);
        await eventually(() => firstDifference(statesIn(informer), truth) === undefined, {
          timeoutMs: 120_000,
          intervalMs: 200,
          what: () => `the cache being right (${firstDifference(statesIn(informer), truth) ?? "it is now"})`,
        });
        proxy.isCalm = true;
        const restarts = await metrics.value("butler_informer_watch_restarts_total");
        const lists = await metrics.value("butler_informer_lists_total");
        console.log(`strikes ${JSON.stringify(proxy.strikes)}; watches restarted ${restarts}, complete lists ${lists}`);
        console.log(`objects at the end ${truth.size}, writes ${churn.writes}`);

        for (const witness of witnesses) {
          expect(firstDifference(witness.states, truth)).toBeUndefined();
          expect(witness.repeated).toEqual([]);
          expect(witness.unexpected).toEqual([]);
        }
        expect(strikesOfRarest()).toBeGreaterThanOrEqual(leastStrikes);
        expect(restarts).toBeGreaterThan(0);
      } finally {
        stopping.abort();
        await proxy.stop();
        await behindProxy.close();
      }
    },
  );

  it("goes on by itself when the API server is killed and comes back", async () => {
    const metrics = new MetricsRegistry();
    const stopping = new AbortController();
    const caches = new CacheSet(cluster.client, { metrics });
    const informer = caches.of(kind, { namespace: "kube-system" });
    const witness = new Witness();
    informer.addHandler(witness.hear);
    await caches.start(stopping.signal);
    const make = (name: string): Promise<DynamicObject> =>
      cluster.client.create(kind, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace: "kube-system" },
      });
    await make("before");
    await eventually(() => informer.get({ name: "before", namespace: "kube-system" }));
    await cluster.controlPlane.restartApiServer({ signal: "SIGKILL" });
    await make("after");
    await eventually(() => informer.get({ name: "after", namespace: "kube-system" }), { timeoutMs: 60_000 });
    expect(witness.repeated).toEqual([]);
    expect(witness.unexpected).toEqual([]);
    expect(await metrics.value("butler_informer_watch_restarts_total")).toBeGreaterThan(0);
    stopping.abort();
    await caches.stopped();
  });
});
