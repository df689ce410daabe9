import { CacheSet, type KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { aConfigMap, eventually, FakeClock } from "@butler/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { defineSingleton, type Occasion, type SingletonDefinition, watching } from "./define-singleton.ts";
import { rbacRules } from "./rbac.ts";
import { type SingletonOptions, SingletonRuntime } from "./singleton-runtime.ts";

const { ConfigMap } = builtinKinds;
const scope = { fieldSelector: "metadata.name=blue" };

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** A client of an API server without objects, whose watches report nothing. */
const silentClient = {
  list: () => Promise.resolve({ items: [], resourceVersion: "1", continueToken: undefined }),
  watch: (_kind: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
} as unknown as KubeClient;

/** Runs a singleton that notes its passes; the first ones fail as often as given. */
async function run(
  definition: Partial<SingletonDefinition<object>> = {},
  { failures = 0, ...options }: Partial<SingletonOptions<object>> & { failures?: number } = {},
) {
  const clock = new FakeClock();
  const occasions: Occasion[] = [];
  const warnings: unknown[] = [];
  const logger = { ...silentLogger, warn: (message: string, fields = {}) => warnings.push([message, fields]) };
  const singleton = defineSingleton({
    name: "sample",
    backoff: { initialMs: 1_000, maximumMs: 4_000, factor: 2, jitter: 0 },
    failure: { message: "cannot sync", hint: "wait" },
    reconcile: async ({ occasion, act }) => {
      occasions.push(occasion);
      if (occasions.length <= failures) throw new Unavailable("not yet");
      await act({ verb: "apply", target: "configmaps blue" }, () => Promise.resolve());
    },
    ...definition,
  });
  const runtime = new SingletonRuntime(singleton, {
    ports: {},
    clock,
    logger: { ...logger, with: () => logger },
    ...options,
  });
  const ended = runtime.run(stopping.signal);
  return { runtime, ended, clock, occasions, warnings };
}

const idle = (runtime: SingletonRuntime<object>): Promise<boolean> => eventually(() => runtime.isIdle);

describe("a singleton", () => {
  it("runs at the start, after each interval, and never after the signal aborts", async () => {
    const { runtime, ended, clock, occasions } = await run({ resyncMs: 60_000 });
    await idle(runtime);
    await eventually(() => clock.pending === 1);
    clock.advance(59_999);
    expect(occasions).toEqual(["start"]);
    clock.advance(1);
    await idle(runtime);
    expect(occasions).toEqual(["start", "resync"]);
    stopping.abort();
    await ended;
    clock.advance(600_000);
    expect(occasions).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it("retries with backoff, reports each failure, and ends after its first success if it runs once", async () => {
    const { ended, clock, occasions, warnings } = await run({ runsOnce: true }, { failures: 2 });
    for (const delayMs of [1_000, 2_000]) {
      await eventually(() => clock.pending === 1);
      const before = occasions.length;
      clock.advance(delayMs - 1);
      expect(occasions).toHaveLength(before);
      clock.advance(1);
    }
    await ended;
    expect(occasions).toEqual(["start", "retry", "retry"]);
    expect(warnings).toEqual(
      [1, 2].map((failures) => ["cannot sync", expect.objectContaining({ failures, hint: "wait" })]),
    );
  });

  it("gathers changes that matter into one pass, and ignores the others", async () => {
    const caches = new CacheSet(silentClient);
    await caches.start(stopping.signal);
    const matters = ({ object }: { object: DynamicObject }): boolean => object.metadata.name !== "ignored";
    const { runtime, clock, occasions } = await run(
      { watches: [watching(ConfigMap, { matters })], settleMs: 100, pauseMs: 400 },
      { caches },
    );
    const settle = async (): Promise<void> => {
      await eventually(() => clock.pending === 1);
      clock.advance(100);
      await eventually(() => clock.pending === 1 && runtime.isIdle);
      clock.advance(400);
      await eventually(() => clock.pending === 0);
    };
    await settle();
    for (const name of ["blue", "green"]) caches.noteWrite(ConfigMap, aConfigMap({ name, resourceVersion: "2" }));
    expect(runtime.isIdle).toBe(false);
    await settle();
    expect(occasions).toEqual(["start", "change"]);
    caches.noteWrite(ConfigMap, aConfigMap({ name: "ignored", resourceVersion: "3" }));
    expect(runtime.isIdle).toBe(true);
  });

  it("cancels a pass that exceeds its timeout, and retries it", async () => {
    const reasons: unknown[] = [];
    const { clock } = await run({
      timeoutMs: 20,
      reconcile: ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            reject(new Unavailable("canceled"));
          }),
        ),
    });
    await eventually(() => reasons.length === 1);
    expect(reasons).toEqual([expect.objectContaining({ name: "TimeoutError" })]);
    await eventually(() => clock.pending === 1);
    clock.advance(1_000);
    await eventually(() => reasons.length === 2);
  });

  it("is measured like a controller", async () => {
    const metrics = new MetricsRegistry();
    const { ended, clock } = await run({ runsOnce: true }, { failures: 1, metrics });
    await eventually(() => clock.pending === 1);
    clock.advance(1_000);
    await ended;
    const text = await metrics.text();
    for (const outcome of ["failed", "changed"])
      expect(text).toContain(`butler_reconcile_duration_seconds_count{controller="sample",outcome="${outcome}"} 1`);
    expect(text).toContain('butler_reconcile_retries_total{controller="sample"} 1');
    expect(text).toContain('butler_reconcile_side_effects_total{controller="sample",verb="apply"} 1');
  });

  it("may read what it watches, except for a single object, which it states", () => {
    const stated = { apiGroups: [""], resources: ["secrets"], resourceNames: ["blue"], verbs: ["get"] };
    const watches = [watching(ConfigMap), watching(builtinKinds.Secret, { scope })];
    expect(rbacRules([{ name: "sample", watches, permissions: [stated] }])).toEqual([
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] },
      stated,
    ]);
  });
});
