// How much the controller runtime costs on top of the API calls themselves. The baseline of every figure is the least
// code that makes the same calls, run against the same API server in the same run.
import { execFile } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ControllerRuntime } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, startTestCluster } from "@butler/testkit";
import { type BareApi, connectBare, inParallel, writeChildAndStatus } from "./lib/bare.ts";
import { followBare, measureLatencies } from "./lib/latency.ts";
import { printReport, quantile } from "./lib/report.ts";
import { aWidget, Widget, widgetController } from "./lib/widget.ts";

const objectCount = 10_000;
const bareCount = 4_000;
const latencyRounds = 300;
const run = promisify(execFile);

const cluster = await startTestCluster({ name: "bench-runtime", resources: [Widget] });
try {
  const bare = await connectBare(cluster.controlPlane.kubeconfigPath);
  for (const namespace of ["bare", "ours"]) await cluster.createNamespace(namespace);

  console.error(`creating ${bareCount} widgets for the bare loop ...`);
  await createWidgets("bare", bareCount);
  const bareRate = await measureBareRate(bare);
  const bareLatencies = await measureBareLatencies(bare);
  await removeWidgets("bare");

  console.error(`creating ${objectCount} widgets for the runtime ...`);
  await createWidgets("ours", objectCount);
  const ours = await measureRuntime(bare);
  await bare.close();

  console.error("measuring memory in processes of their own ...");
  const plain = await probe("plain");
  const restarted = await probe("runtime");
  printReport(
    "runtime",
    [
      { name: "reconciles per second", unit: "/s", ours: ours.rate, baseline: bareRate, better: "higher" },
      {
        name: "watch to write, p50",
        unit: "ms",
        ours: quantile(ours.latencies, 0.5),
        baseline: quantile(bareLatencies, 0.5),
        better: "lower",
      },
      {
        name: "watch to write, p95",
        unit: "ms",
        ours: quantile(ours.latencies, 0.95),
        baseline: quantile(bareLatencies, 0.95),
        better: "lower",
      },
      {
        name: `memory at ${objectCount} objects`,
        unit: "MiB",
        ours: Number(restarted["after"]),
        baseline: Number(plain["after"]),
        better: "lower",
      },
    ],
    {
      objects: objectCount,
      "steady-state writes": restarted["writes"],
      "passes per second without writes": Math.round(Number(restarted["passesPerSecond"])),
      "event-loop delay p99 ms": ours.loopDelayMs,
    },
  );
  if (restarted["writes"] !== 0) throw new Error(`the steady state made ${String(restarted["writes"])} writes`);
} finally {
  await cluster.stop();
}

async function createWidgets(namespace: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, at) => `widget-${at}`);
  await inParallel(names, 12, async (name) => void (await cluster.client.create(Widget, aWidget(namespace, name))));
}

async function removeWidgets(namespace: string): Promise<void> {
  const names = Array.from({ length: bareCount }, (_, at) => `widget-${at}`);
  await inParallel(names, 12, (name) => cluster.client.delete(Widget, { namespace, name }));
}

async function measureBareRate(bare: BareApi): Promise<number> {
  const answer = await bare.call("GET", "/apis/bench.butlerlabs.dev/v1alpha1/namespaces/bare/widgets");
  const widgets = answer["items"] as Widget[];
  const startedAt = performance.now();
  await inParallel(widgets, widgetController.concurrency ?? 4, (widget) => writeChildAndStatus(bare, widget));
  return widgets.length / ((performance.now() - startedAt) / 1_000);
}

async function measureBareLatencies(bare: BareApi): Promise<number[]> {
  const stop = await followBare(bare, "bare");
  const latencies = await measureLatencies(cluster.client, bare, {
    namespace: "bare",
    name: "widget-0",
    rounds: latencyRounds,
  });
  await stop();
  return latencies;
}

async function measureRuntime(observer: BareApi) {
  const metrics = new MetricsRegistry();
  const caches = new CacheSet(cluster.client, { metrics });
  const runtime = new ControllerRuntime(widgetController, { client: cluster.client, caches, ports: {}, metrics });
  const stopping = new AbortController();
  await caches.start(stopping.signal);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const startedAt = performance.now();
  const running = runtime.run(stopping.signal);
  const written = (): Promise<number> => metrics.value("butler_reconcile_side_effects_total", { verb: "status" });
  await eventually(async () => (await written()) >= objectCount, {
    timeoutMs: 300_000,
    intervalMs: 5,
    what: "all statuses",
  });
  const rate = objectCount / ((performance.now() - startedAt) / 1_000);
  loop.disable();
  await eventually(() => runtime.isIdle, { timeoutMs: 60_000 });
  const latencies = await measureLatencies(cluster.client, observer, {
    namespace: "ours",
    name: "widget-0",
    rounds: latencyRounds,
  });
  await eventually(() => runtime.isIdle, { timeoutMs: 60_000 });
  stopping.abort();
  await Promise.all([running, caches.stopped()]);
  return { rate, latencies, loopDelayMs: Math.round(loop.percentile(99) / 1e4) / 100 };
}

async function probe(mode: "plain" | "runtime"): Promise<Record<string, unknown>> {
  const file = fileURLToPath(new URL("./lib/memory-probe.ts", import.meta.url));
  const args = ["--expose-gc", file, mode, cluster.controlPlane.kubeconfigPath, "ours", String(objectCount)];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout) as Record<string, unknown>;
}
