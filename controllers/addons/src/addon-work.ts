import { ManagementAddon, TenantAddon, TenantCluster } from "@butler/api";
import { ChartStore, type ChartStoreOptions, Helm, ReleaseDecoder } from "@butler/helm";
import type { CacheSet, KubeClient, KubeConfig } from "@butler/kube";
import { keyOf, keyText, type ObjectKey } from "@butler/resource";
import type { Clock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { KubeconfigSource, TenantClients } from "@butler/tenant-clients";
import type { AddonMetrics } from "./addon-metrics.ts";
import { createClusterAccess } from "./cluster-access.ts";
import type { JobPlaces } from "./jobs/job-places.ts";
import { ReleaseJobs } from "./jobs/release-jobs.ts";
import { jobKeyOf } from "./release/job-key.ts";
import { type LookIntervals, usualIntervals } from "./release/looks.ts";
import { ReleaseObserver } from "./release/release-observer.ts";
import { createReleasePorts, type ReleasePorts } from "./release/release-ports.ts";
import { clusterKeyOf } from "./tenant-addon/observe.ts";
import { TenantHints } from "./tenant-addon/tenant-hints.ts";

/** Dependencies of the work on releases. */
export interface AddonWorkOptions {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  readonly tenants: TenantClients;
  /** Where the kubeconfigs of tenants come from. */
  readonly kubeconfigs: KubeconfigSource;
  /** The path of the helm program. */
  readonly helmProgram: string;
  /** Where fetched charts are kept. */
  readonly chartFolder: string;
  /** The configuration of this process, when charts may be installed on its own cluster. */
  readonly management?: KubeConfig | undefined;
  /** Limits of concurrent helm programs; defaults to what fits this machine. */
  readonly places?: JobPlaces | undefined;
  /** Grace period for a pending revision of another process. Defaults to 15 seconds. */
  readonly graceMs?: number | undefined;
  readonly intervals?: LookIntervals | undefined;
  readonly charts?: Omit<ChartStoreOptions, "folder"> | undefined;
}

const usualGraceMs = 15_000;
/** Helm needs a lot of memory for large charts, and several run at once: it collects garbage above this. */
const helmMemoryMiB = 192;
/** A chart that needs more than this fails. The pod's limit has room for all jobs with this much, and the process. */
const mostHelmMemoryMiB = 320;

/** Work on releases outside the reconcile loop, for both kinds of add-ons, and its shutdown. */
export class AddonWork {
  readonly #charts: ChartStore;
  readonly #jobs: ReleaseJobs;
  readonly #observer: ReleaseObserver;
  readonly #decoder: ReleaseDecoder;
  readonly #hints: TenantHints;
  readonly #caches: CacheSet;
  #ended: Promise<unknown> | undefined;
  readonly ports: ReleasePorts & { readonly attend: TenantHints["attend"] };

  constructor(options: AddonWorkOptions, { metrics, wake }: { metrics: AddonMetrics; wake: (key: string) => void }) {
    const { client, caches, clock, logger, tenants, kubeconfigs, graceMs = usualGraceMs } = options;
    const { intervals = usualIntervals, places, management } = options;
    this.#caches = caches;
    this.#charts = new ChartStore({ ...options.charts, folder: options.chartFolder, clock });
    this.#decoder = new ReleaseDecoder({ onRefusal: (reason) => metrics.countUnreadable(reason) });
    this.#observer = new ReleaseObserver({ clock, intervals, decoder: this.#decoder });
    const onChange = (key: string): void => {
      this.#observer.noteChange(key);
      wake(key);
    };
    this.#jobs = new ReleaseJobs({
      places,
      clock,
      logger,
      onChange,
      onCount: (count) => metrics.countJobs(count),
      onStart: (share, waitedMs) => metrics.countWait(share, waitedMs),
    });
    this.#hints = new TenantHints({
      tenants,
      addonsOf: (cluster) => this.#addonsOf(cluster),
      onHint: (addon) => {
        const key = jobKeyOf("tenant", addon);
        this.#observer.noteHint(key);
        wake(key);
      },
    });
    const helm = new Helm({
      program: options.helmProgram,
      logger,
      memoryLimitMiB: helmMemoryMiB,
      mostMemoryMiB: mostHelmMemoryMiB,
      givesWay: true,
    });
    const access = createClusterAccess({ client, tenants, kubeconfigs, own: management });
    const { unreachableMs } = intervals;
    const [charts, jobs, observer] = [this.#charts, this.#jobs, this.#observer];
    this.ports = {
      ...createReleasePorts({ client, helm, charts, jobs, observer, access, graceMs, unreachableMs }),
      attend: (cluster) => this.#hints.attend(cluster),
    };
    this.#forgetWhatIsGone();
  }

  /** Runs until the signal aborts, then stops everything. */
  async run(signal: AbortSignal): Promise<void> {
    await aborted(signal);
    await this.end();
  }

  /** Stops everything; resolves when all jobs have ended. */
  async end(): Promise<void> {
    this.#decoder.close();
    this.#ended ??= Promise.all([this.#jobs.close(), this.#hints.close(), this.#charts.close()]);
    await this.#ended;
  }

  #addonsOf(cluster: ObjectKey): readonly TenantAddon[] {
    const addons = this.#caches.of(TenantAddon).list();
    return addons.filter((addon) => keyText(clusterKeyOf(addon)) === keyText(cluster));
  }

  #forgetWhatIsGone(): void {
    const forget = (key: string): void => {
      this.#jobs.forget(key);
      this.#observer.forget(key);
    };
    this.#caches.of(TenantAddon).addHandler(({ type, object }) => {
      if (type !== "delete") return;
      forget(jobKeyOf("tenant", keyOf(object)));
      const cluster = clusterKeyOf(object);
      if (this.#addonsOf(cluster).length === 0) this.#hints.release(keyText(cluster));
    });
    this.#caches.of(TenantCluster).addHandler(({ type, object }) => {
      if (type === "delete") this.#hints.release(keyText(keyOf(object)));
    });
    this.#caches.of(ManagementAddon).addHandler(({ type, object }) => {
      if (type === "delete") forget(jobKeyOf("management", keyOf(object)));
    });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
