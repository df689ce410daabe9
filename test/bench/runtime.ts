// How much the controller runtime costs on top of the API calls themselves. The baseline of every figure is the least
// code that makes the same calls. Both take turns, round by round, so that a noisy machine disturbs both alike.
import { execFile } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, aTestCluster } from "@butler/testkit";
import { type BareApi, connectBare, inParallel, writeChildAndStatus } from "./lib/bare.ts";
import { followBare, measureLatencies } from "./lib/latency.ts";
import { printReport, quantile } from "./lib/report.ts";
import { aWidget, BareWidget, type BenchKind, namespaces, Widget, widgetController } from "./lib/widget.ts";

const rounds = 5;
const objectsPerRound = 2_000;
const latenciesPerRound = 80;
const objectCount = rounds * objectsPerRound;
const run = promisify(execFile);
const loop = monitorEventLoopDelay({ resolution: 5 });

interface Turn {
  readonly rate: number;
  readonly latencies: readonly number[];
}

const cluster = await aTestCluster({ resources: [Widget, BareWidget] });
try {
  const bare = await connectBare(cluster.controlPlane.kubeconfigPath);
  for (const namespace of Object.values(namespaces)) await cluster.createNamespace(namespace);
  const bareTurns: Turn[] = [];
  const ourTurns: Turn[] = [];
  for (let round = 0; round < rounds; round++) {
    console.error(`round ${round + 1} of ${rounds}: ${objectsPerRound} objects each ...`);
    bareTurns.push(await takeBareTurn(bare, round));
    ourTurns.push(await takeOurTurn(bare, round));
  }
  await bare.close();
  console.error("measuring memory in processes of their own ...");
  const plain = await probe("plain");
  const restarted = await probe("runtime");
  const pair = (of: (turn: Turn) => number) => ({ ours: middle(ourTurns, of), baseline: middle(bareTurns, of) });
  printReport(
    "runtime",
    [
      { name: "reconciles per second", unit: "/s", better: "higher", ...pair(({ rate }) => rate) },
      {
        name: "watch to write, p50",
        unit: "ms",
        better: "lower",
        ...pair(({ latencies }) => quantile(latencies, 0.5)),
      },
      {
        name: "watch to write, p95",
        unit: "ms",
        better: "lower",
        ...pair(({ latencies }) => quantile(latencies, 0.95)),
      },
      ...(["resident", "heap"] as const).map((what) => ({
        name: `${what} memory at ${objectCount} objects`,
        unit: "MiB",
        ours: Number(restarted[what]),
        baseline: Number(plain[what]),
        better: "lower" as const,
      })),
    ],
    {
      objects: objectCount,
      "steady-state writes": restarted["writes"],
      "passes per second without writes": Math.round(Number(restarted["passesPerSecond"])),
      "event-loop delay p99 ms": Math.round(loop.percentile(99) / 1e4) / 100,
    },
  );
  if (restarted["writes"] !== 0) throw new Error(`the steady state made ${String(restarted["writes"])} writes`);
} finally {
  await cluster.stop();
}

function middle(turns: readonly Turn[], of: (turn: Turn) => number): number {
  return quantile(turns.map(of), 0.5);
}

/** Makes the objects of a round and gives their names. */
async function makeObjects(resource: BenchKind, round: number): Promise<string[]> {
  const names = Array.from({ length: objectsPerRound }, (_, at) => `widget-${round}-${at}`);
  await inParallel(names, 12, async (name) => void (await cluster.client.create(resource, aWidget(resource, name))));
  return names;
}

async function takeBareTurn(bare: BareApi, round: number): Promise<Turn> {
  const names = await makeObjects(BareWidget, round);
  const { items } = await cluster.client.list(BareWidget, { namespace: namespaces.bare });
  const made = new Set(names);
  const widgets = items.filter(({ metadata }) => made.has(metadata.name));
  const startedAt = performance.now();
  await inParallel(widgets, widgetController.concurrency ?? 4, (widget) => writeChildAndStatus(bare, widget));
  const rate = widgets.length / ((performance.now() - startedAt) / 1_000);
  const stop = await followBare(bare);
  const latencies = await measureRound(bare, BareWidget, round);
  await stop();
  return { rate, latencies };
}

async function takeOurTurn(observer: BareApi, round: number): Promise<Turn> {
  await makeObjects(Widget, round);
  const metrics = new MetricsRegistry();
  const caches = new CacheSet(cluster.client, { metrics });
  const runtime = new ControllerRuntime(widgetController, { client: cluster.client, caches, ports: {}, metrics });
  const stopping = new AbortController();
  await caches.start(stopping.signal);
  loop.enable();
  const startedAt = performance.now();
  const running = runtime.run(stopping.signal);
  const isWritten = async (): Promise<boolean> =>
    (await metrics.value("butler_reconcile_side_effects_total", { verb: "status" })) >= objectsPerRound;
  await eventually(isWritten, { timeoutMs: 300_000, intervalMs: 5, what: "all statuses" });
  const rate = objectsPerRound / ((performance.now() - startedAt) / 1_000);
  loop.disable();
  await eventually(() => runtime.isIdle, { timeoutMs: 60_000, what: "rest" });
  const latencies = await measureRound(observer, Widget, round);
  await eventually(() => runtime.isIdle, { timeoutMs: 60_000, what: "rest" });
  stopping.abort();
  await Promise.all([running, caches.stopped()]);
  return { rate, latencies };
}

function measureRound(observer: BareApi, resource: BenchKind, round: number): Promise<number[]> {
  const from = (round + 1) * 1_000;
  return measureLatencies(cluster.client, observer, { resource, name: "widget-0-0", rounds: latenciesPerRound, from });
}

async function probe(mode: "plain" | "runtime"): Promise<Record<string, unknown>> {
  const file = fileURLToPath(new URL("./lib/memory-probe.ts", import.meta.url));
  const args = ["--expose-gc", file, mode, cluster.controlPlane.kubeconfigPath, namespaces.ours, String(objectCount)];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout) as Record<string, unknown>;
}
