import { CacheSet, connect, type Informer, KubeConfig, type StoreEvent } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import {
  chooseSeed,
  eventually,
  FaultProxy,
  isSoak,
  seededRandom,
  shortOrLong,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Churn, fingerprint, listFingerprints } from "./churn.ts";

const objectCount = shortOrLong(1_000, 20_000);
const writesPerRound = shortOrLong(100, 2_000);
const leastChurn = shortOrLong(2_000, 100_000);
const mostWrites = shortOrLong(120_000, 600_000);
/** Every fault must occur this often, or the test is meaningless. */
const leastStrikes = 3;
/** In the short form each fault is as frequent as the rarest one, so that all occur often enough soon. */
const watchDeck = isSoak()
  ? { none: 2, drop: 3, stall: 1, corrupt: 3, halfClose: 3, gone: 1, goneInStream: 1, throttle: 2 }
  : { none: 1, drop: 1, stall: 1, corrupt: 1, halfClose: 1, gone: 1, goneInStream: 1, throttle: 1 };
const kind = builtinKinds.ConfigMap;
const namespace = "churn";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await aTestCluster({ mine: { name: "informer" } });
  await cluster.createNamespace(namespace);
});
afterAll(() => cluster?.stop());

/** Events that one listener has received about an object. */
class Witness {
  readonly states = new Map<string, string>();
  readonly repeated: string[] = [];
  readonly unexpected: string[] = [];
  readonly #reported = new Set<string>();
  #uids = new Map<string, string>();

  readonly hear = (event: StoreEvent<DynamicObject>): void => {
    const { name, uid = "", resourceVersion = "" } = event.object.metadata;
    const change = `${event.type === "delete" ? "delete" : "state"} ${uid} ${event.type === "delete" ? "" : resourceVersion}`;
    if (this.#reported.has(change)) this.repeated.push(`${name} ${change}`);
    this.#reported.add(change);
    if (event.type === "delete") {
      if (this.#uids.get(name) !== uid) this.unexpected.push(`${name}: deleted an object that was never added`);
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

describe("an informer with a faulty connection", () => {
  it(
    `ends with the correct state: ${objectCount} objects under churn behind a proxy that disturbs all kinds of requests`,
    { timeout: shortOrLong(480_000, 3_600_000) },
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
          watch: watchDeck,
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
            pageSize: shortOrLong(100, 500),
            watchTimeoutSeconds: shortOrLong(1, 4),
            stallTimeoutMs: shortOrLong(700, 1_500),
            backoff: { initialMs: 20, maximumMs: shortOrLong(100, 500), factor: 2, jitter: 0.5 },
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

        // Faults continue until the cache is correct; they stop only for the final comparison.
        const truth = await listFingerprints(cluster.client, kind, namespace);
        await eventually(() => firstDifference(statesIn(informer), truth) === undefined, {
          timeoutMs: 120_000,
          intervalMs: 200,
          what: () => `the cache to be correct (${firstDifference(statesIn(informer), truth) ?? "it is now"})`,
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

  it("resumes automatically after the API server is killed and restarted", async () => {
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
