import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bundleButler } from "@butler/butler/deploy";
import { FleetProcess, freePorts } from "./fleet-process.ts";
import { samplesOf } from "./write-counts.ts";

/** Where the manager runs, and its address. */
export interface ManagerOptions {
  /** Identity of the manager; determines the namespace of its Lease. */
  readonly kubeconfig: string;
  readonly directory: string;
  /** `namespace/name` of the Service through which the API server calls it. */
  readonly admissionService: string;
}

/** Metrics of the manager at one time. */
export interface ManagerSample {
  readonly atMs: number;
  /** Passes so far, by controller. */
  readonly passes: Readonly<Record<string, number>>;
  /** Passes so far without changes. */
  readonly idlePasses: number;
  /** Passes so far that failed. */
  readonly retries: number;
  /** Side effects so far, by verb. */
  readonly sideEffects: Readonly<Record<string, number>>;
  readonly queueDepth: number;
  /** Requests to Kubernetes APIs so far. */
  readonly requests: number;
  readonly cpuSeconds: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
  readonly eventLoopDelayMs: number;
}

/** Enables forced garbage collection, so that only live memory is measured. */
const collectOnSignal = 'process.on("SIGUSR2",()=>{globalThis.gc();globalThis.gc()})';
const collectMs = 1_500;

/** The role `controller` of Butler's program, as in a cluster: bundled, with leader election and admission. */
export class FleetManager {
  readonly process: FleetProcess;
  readonly #metricsUrl: string;

  private constructor(started: FleetProcess, metricsUrl: string) {
    this.process = started;
    this.#metricsUrl = metricsUrl;
  }

  static async start({ kubeconfig, directory, admissionService }: ManagerOptions): Promise<FleetManager> {
    const folder = join(directory, "manager");
    for (const { path, content } of (await bundleButler()).files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const [healthPort = 0] = await freePorts(1);
    const address = `http://127.0.0.1:${healthPort}`;
    const started = await FleetProcess.start({
      name: "manager",
      program: process.execPath,
      directory,
      readyUrl: `${address}/readyz`,
      args: [
        "--expose-gc",
        "--import",
        `data:text/javascript,${encodeURIComponent(collectOnSignal)}`,
        join(folder, "main.js"),
        "controller",
        `--kubeconfig=${kubeconfig}`,
        `--health-port=${healthPort}`,
        "--leader-election",
        `--admission-service=${admissionService}`,
      ],
    });
    return new FleetManager(started, `${address}/metrics`);
  }

  /** Its current metrics. */
  async sample(): Promise<ManagerSample> {
    const [text, { cpuSeconds, residentMiB }] = await Promise.all([this.#metrics(), this.process.use()]);
    return { ...readManagerMetrics(text), atMs: performance.now(), cpuSeconds, residentMiB };
  }

  /** The same after garbage collection. */
  async sampleAtRest(): Promise<ManagerSample> {
    this.process.signal("SIGUSR2");
    await wait(collectMs);
    return this.sample();
  }

  async #metrics(): Promise<string> {
    return (await fetch(this.#metricsUrl)).text();
  }
}

/** The values on the metrics page of a manager. */
export function readManagerMetrics(text: string): Omit<ManagerSample, "atMs" | "cpuSeconds" | "residentMiB"> {
  const total = (metric: string): number => samplesOf(text, metric).reduce((sum, { value }) => sum + value, 0);
  const by = (metric: string, label: string): Record<string, number> => {
    const sums: Record<string, number> = {};
    for (const { labels, value } of samplesOf(text, metric)) {
      const name = labels[label] ?? "";
      sums[name] = (sums[name] ?? 0) + value;
    }
    return sums;
  };
  const outcomes = by("butler_reconcile_duration_seconds_count", "outcome");
  const delays = samplesOf(text, "butler_event_loop_delay_seconds").map(({ value }) => value);
  return {
    passes: by("butler_reconcile_duration_seconds_count", "controller"),
    idlePasses: outcomes["settled"] ?? 0,
    retries: total("butler_reconcile_retries_total"),
    sideEffects: by("butler_reconcile_side_effects_total", "verb"),
    queueDepth: total("butler_queue_depth"),
    requests: total("butler_api_requests_total"),
    heapMiB: total("butler_nodejs_heap_size_used_bytes") / 2 ** 20,
    eventLoopDelayMs: Math.max(0, ...delays) * 1_000,
  };
}

/** All passes of all controllers. */
export function passesOf({ passes }: Pick<ManagerSample, "passes">): number {
  return Object.values(passes).reduce((sum, count) => sum + count, 0);
}

/** All writes of all controllers, except for events, which are asynchronous. */
export function writesOf({ sideEffects }: Pick<ManagerSample, "sideEffects">): number {
  return Object.entries(sideEffects).reduce((sum, [verb, count]) => (verb === "event" ? sum : sum + count), 0);
}
