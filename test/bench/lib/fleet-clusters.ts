import { setTimeout as wait } from "node:timers/promises";
import {
  labels,
  LocalCluster,
  LocalMachine,
  LocalMachineTemplate,
  StewardControlPlane,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { Cluster, KubeadmConfigTemplate, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import { AlreadyExists, type ApiClient, CacheSet } from "@butler/kube";
import { builtinKinds, isConditionTrue, type Kind, type KubeObject } from "@butler/resource";
import { NotFound, Timeout, Unavailable } from "@butler/std";
import { eventually } from "@butler/testkit";
import { inParallel } from "./bare.ts";
import { Node, unless } from "./fleet-players.ts";

/** Where clusters are created, and their team. */
export interface FleetClustersOptions {
  readonly management: ApiClient;
  readonly tenants: ApiClient;
  readonly team: string;
  /** Called repeatedly while waiting, to throw if the wait cannot succeed. */
  readonly check: () => void;
}

/** Objects of a cluster in the management cluster. */
const made: readonly Kind[] = [
  TenantCluster,
  Cluster,
  MachineDeployment,
  MachineSet,
  Machine,
  KubeadmConfigTemplate,
  LocalCluster,
  LocalMachine,
  LocalMachineTemplate,
  StewardControlPlane,
  TenantControlPlane,
];
/** A realistic number of concurrent requests by users and pipelines. */
const senders = 16;
const patienceMs = 900_000;
const retryMs = 500;

/** When clusters were requested and when they were ready, as observed by a watch. */
export class FleetClusters {
  readonly #options: FleetClustersOptions;
  readonly #caches: CacheSet;
  readonly #stopping = new AbortController();
  readonly #readyAt = new Map<string, number>();
  /** Requests that timed out and were retried. */
  refusals = 0;

  private constructor(options: FleetClustersOptions) {
    this.#options = options;
    this.#caches = new CacheSet(options.management);
  }

  static async open(options: FleetClustersOptions): Promise<FleetClusters> {
    const clusters = new FleetClusters(options);
    clusters.#cache.addHandler(({ type, object }) => {
      const { name } = object.metadata;
      if (type === "delete" || !isAsAsked(object)) clusters.#readyAt.delete(name);
      else if (!clusters.#readyAt.has(name)) clusters.#readyAt.set(name, performance.now());
    });
    await clusters.#caches.start(clusters.#stopping.signal);
    return clusters;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#caches.stopped();
  }

  /** Creates clusters with two workers each, and returns the seconds until each was accepted and Ready. */
  async create(names: readonly string[]): Promise<{ readonly accepted: number[]; readonly ready: number[] }> {
    const { management, team } = this.#options;
    const [accepted, startedAt]: [number[], Map<string, number>] = [[], new Map()];
    await inParallel(names, senders, async (name) => {
      const askedAt = performance.now();
      startedAt.set(name, askedAt);
      const workers = { replicas: 2, machineTemplate: { cpu: 1, memory: "1Gi" } };
      const { apiVersion, kind } = TenantCluster;
      const object = {
        apiVersion,
        kind,
        metadata: { name, namespace: team },
        spec: { teamRef: { name: team }, workers },
      };
      await this.#insist(() => management.create(TenantCluster, object as KubeObject).catch(unless(AlreadyExists)));
      accepted.push(seconds(askedAt));
    });
    await this.#allReady(names);
    return { accepted, ready: names.map((name) => this.#secondsSince(name, startedAt.get(name) ?? Number.NaN)) };
  }

  /** Changes the number of workers, and returns the seconds until the clusters match. */
  async scale(name: string, replicas: number): Promise<number> {
    const { management, team } = this.#options;
    const startedAt = performance.now();
    this.#readyAt.delete(name);
    const patch = { spec: { workers: { replicas } } };
    const changed = await this.#insist(() =>
      management.patch(TenantCluster, { name, namespace: team }, { type: "merge", patch }),
    );
    // Ready conditions from before the change do not count.
    const isDone = (): boolean =>
      (this.#cache.get({ name, namespace: team })?.metadata.generation ?? 0) >= (changed.metadata.generation ?? 0) &&
      this.#readyAt.has(name);
    await this.#until(isDone, () => `${name} with ${replicas} workers`);
    return this.#secondsSince(name, startedAt);
  }

  /** Deletes clusters, and returns the seconds until nothing is left of any. */
  async remove(names: readonly string[]): Promise<number> {
    const { management, team } = this.#options;
    const startedAt = performance.now();
    await inParallel(names, senders, (name) =>
      this.#insist(() => management.delete(TenantCluster, { name, namespace: team }).catch(unless(NotFound))),
    );
    await this.#until(
      () => names.every((name) => this.#cache.get({ name, namespace: team }) === undefined),
      () => `the end of ${this.#cache.size} clusters`,
    );
    let left: Readonly<Record<string, number>> = {};
    const isClean = async (): Promise<boolean> => {
      left = await this.leftovers();
      return Object.keys(left).length === 0;
    };
    await this.#until(isClean, () => `the end of ${JSON.stringify(left)}`);
    return seconds(startedAt);
  }

  /** Number of objects of clusters, by plural; kinds without objects are omitted. */
  async leftovers(): Promise<Record<string, number>> {
    const { management, tenants } = this.#options;
    const counts = await Promise.all([
      ...made.map(async (kind) => [kind.plural, (await management.list(kind)).items.length] as const),
      countLabelled(management),
      (async () => ["nodes", (await tenants.list(Node)).items.length] as const)(),
    ]);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  /** Retries a request while the response permits it, as on a machine that is too slow. */
  async #insist<T>(send: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof Timeout || error instanceof Unavailable)) throw error;
        this.#options.check();
        this.refusals++;
        await wait(retryMs);
      }
    }
  }

  get #cache() {
    return this.#caches.of(TenantCluster);
  }

  #allReady(names: readonly string[]): Promise<void> {
    const missing = (): string[] => names.filter((name) => !this.#readyAt.has(name));
    return this.#until(
      () => missing().length === 0,
      () =>
        `Ready of ${missing().length} clusters (${missing()
          .slice(0, 3)
          .map((name) => this.#state(name))
          .join("; ")})`,
    );
  }

  #state(name: string): string {
    const { status } = this.#cache.get({ name, namespace: this.#options.team }) ?? {};
    const open = status?.conditions?.find(({ status: holds }) => holds !== "True");
    return `${name}: ${status?.phase ?? "no status"}, ${open?.reason ?? ""} ${open?.message ?? ""}`;
  }

  #secondsSince(name: string, startedAt: number): number {
    return ((this.#readyAt.get(name) ?? Number.NaN) - startedAt) / 1_000;
  }

  async #until(condition: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
    const isOver = async (): Promise<boolean> => this.#isHopeless() || condition();
    await eventually(isOver, { timeoutMs: patienceMs, intervalMs: 100, what });
    this.#options.check();
  }

  #isHopeless(): boolean {
    try {
      this.#options.check();
      return false;
    } catch {
      return true;
    }
  }
}

function isAsAsked({ metadata, status }: TenantCluster): boolean {
  return status?.observedGeneration === metadata.generation && isConditionTrue(status?.conditions, "Ready");
}

async function countLabelled(client: ApiClient): Promise<readonly [string, number]> {
  const { items } = await client.list(builtinKinds.Namespace, { labelSelector: labels.sourceName });
  return ["namespaces", items.length];
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}
