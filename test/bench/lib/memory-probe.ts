// Runs as a separate process, so that its memory contains nothing else: reads every widget and its child, and prints
// the memory usage as plain parsed lists and as cached by the runtime.
import { ControllerRuntime } from "@butler/controller";
import { CacheSet, connect, loadKubeConfig } from "@butler/kube";
import { MetricsRegistry } from "@butler/telemetry";
import { connectBare } from "./bare.ts";
import { Widget, widgetController } from "./widget.ts";

const [mode, kubeconfigPath = "", namespace = "", expected = "0"] = process.argv.slice(2);

function memoryMiB(): { resident: number; heap: number } {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { resident: rss / 2 ** 20, heap: heapUsed / 2 ** 20 };
}

/** The memory of the given objects, and the objects, to prevent earlier garbage collection. */
async function probePlain(): Promise<Record<string, unknown>> {
  const api = await connectBare(kubeconfigPath);
  const held = [
    await api.call("GET", `/apis/bench.butlerlabs.dev/v1alpha1/namespaces/${namespace}/widgets`),
    await api.call("GET", `/api/v1/namespaces/${namespace}/configmaps`),
  ];
  await api.close();
  const memory = memoryMiB();
  return { ...memory, objects: held.reduce((sum, { items }) => sum + (items as unknown[]).length, 0) };
}

async function probeRuntime(): Promise<Record<string, unknown>> {
  const metrics = new MetricsRegistry();
  const { client, close } = connect(loadKubeConfig(kubeconfigPath));
  const caches = new CacheSet(client, { metrics });
  const runtime = new ControllerRuntime(widgetController, { client, caches, ports: {}, metrics });
  const stopping = new AbortController();
  await caches.start(stopping.signal);
  const running = runtime.run(stopping.signal);
  const passes = (): Promise<number> => metrics.value("butler_reconcile_duration_seconds", { outcome: "settled" });
  const startedAt = performance.now();
  // Every object is reconciled once after a start; the writes after that are those of the steady state.
  while (!runtime.isIdle || (await metrics.value("butler_queue_depth")) > 0)
    await new Promise((done) => setTimeout(done, 20));
  const seconds = (performance.now() - startedAt) / 1_000;
  const memory = memoryMiB();
  const objects = caches.of(Widget).size;
  const writes = await metrics.value("butler_reconcile_side_effects_total");
  const settled = await passes();
  stopping.abort();
  await running;
  await close();
  return { ...memory, objects, writes, settled: settled > 0, passesPerSecond: Number(expected) / seconds };
}

console.log(JSON.stringify(mode === "plain" ? await probePlain() : await probeRuntime()));
