import type { ManagementAddon, TenantAddon } from "@butler/api";
import type { DecodeRefusal } from "@butler/helm";
import type { Informer } from "@butler/kube";
import { keyText, type Resource } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import type { JobShare } from "./jobs/next-job.ts";

type Addon = TenantAddon | ManagementAddon;
type Labels = Readonly<Record<"namespace" | "addon" | "cluster" | "phase", string>>;

const phaseName = "butler_addon_phase";
/** From about a second to an hour, the longest useful timeout. */
const buckets = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 3_600];

/** Metrics of add-ons, from their status. */
export class AddonMetrics {
  readonly #registry: MetricsRegistry;
  readonly #durations: ReturnType<MetricsRegistry["histogram"]>;
  readonly #phases: ReturnType<MetricsRegistry["gauge"]>;
  readonly #jobs: ReturnType<MetricsRegistry["gauge"]>;
  readonly #waits: ReturnType<MetricsRegistry["histogram"]>;
  readonly #refusals: ReturnType<MetricsRegistry["counter"]>;
  readonly #known = new Map<string, Labels>();

  constructor(registry: MetricsRegistry = new MetricsRegistry()) {
    this.#registry = registry;
    this.#durations = registry.histogram("butler_addon_install_duration_seconds", {
      help: "Duration of add-on operations, until all objects are ready.",
      labels: ["addon", "action", "outcome"],
      buckets,
    });
    this.#phases = registry.gauge(phaseName, {
      help: "1 for the current phase of an add-on.",
      labels: ["namespace", "addon", "cluster", "phase"],
    });
    this.#jobs = registry.gauge("butler_addon_jobs", {
      help: "Number of running and queued add-on jobs.",
      labels: ["state"],
    });
    this.#waits = registry.histogram("butler_addon_job_wait_seconds", {
      help: "Time that add-on jobs waited for a place before they started.",
      labels: ["places"],
      buckets,
    });
    this.#refusals = registry.counter("butler_addon_unreadable_releases_total", {
      help: "Revisions of Helm releases in clusters that were not read, by reason.",
      labels: ["reason"],
    });
  }

  /** Records how long a job waited before it started. */
  countWait({ isReserved }: JobShare, waitedMs: number): void {
    this.#waits.observe({ places: isReserved ? "reserved" : "shared" }, waitedMs / 1_000);
  }

  /** Counts a revision that was not read. */
  countUnreadable(reason: DecodeRefusal): void {
    this.#refusals.inc({ reason });
  }

  /** Records the numbers of jobs. */
  countJobs({ running, waiting }: { readonly running: number; readonly waiting: number }): void {
    this.#jobs.set({ state: "running" }, running);
    this.#jobs.set({ state: "waiting" }, waiting);
  }

  /** Follows the objects of a kind. */
  follow(informer: Pick<Informer<Resource>, "addHandler">): void {
    informer.addHandler((event) => {
      const addon = event.object as unknown as Addon;
      if (event.type === "delete") return this.#forget(addon);
      this.#notePhase(addon);
      if (event.type === "update") this.#noteEnd(event.previous as unknown as Addon, addon);
    });
  }

  #notePhase(addon: Addon): void {
    const { phase = "Pending" } = addon.status ?? {};
    const id = idOf(addon);
    const labels = {
      namespace: addon.metadata.namespace ?? "",
      addon: addon.metadata.name,
      cluster: clusterOf(addon),
      phase,
    };
    const before = this.#known.get(id);
    if (before !== undefined && before.phase !== phase) this.#registry.forget(phaseName, before);
    this.#known.set(id, labels);
    this.#phases.set(labels, 1);
  }

  #noteEnd(before: Addon, addon: Addon): void {
    const [earlier, attempt] = [before.status?.lastAttempt, addon.status?.lastAttempt];
    if (attempt?.finishedAt === undefined || attempt.outcome === "Running") return;
    const isNoted = earlier?.startedAt === attempt.startedAt && earlier.outcome === attempt.outcome;
    if (isNoted) return;
    const seconds = (Date.parse(attempt.finishedAt) - Date.parse(attempt.startedAt)) / 1_000;
    const labels = { addon: chartNameOf(addon), action: attempt.action, outcome: attempt.outcome };
    this.#durations.observe(labels, Math.max(0, seconds));
  }

  #forget(addon: Addon): void {
    const known = this.#known.get(idOf(addon));
    this.#known.delete(idOf(addon));
    if (known !== undefined) this.#registry.forget(phaseName, known);
  }
}

function idOf({ kind, metadata }: Addon): string {
  return `${kind} ${keyText(metadata)}`;
}

function clusterOf({ spec }: Addon): string {
  return "clusterRef" in spec ? spec.clusterRef.name : "";
}

/** Label of an add-on: the catalog has few names, while there may be as many add-ons as clusters. */
function chartNameOf({ spec }: Addon): string {
  if (spec.addon) return spec.addon;
  return "helm" in spec ? (spec.helm?.chart ?? "") : "";
}
