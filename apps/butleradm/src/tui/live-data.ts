import { namespaces } from "@butler/api";
import { CacheSet, type Informer, type KubeClient, type Requests } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { type Clock, describeError, Forbidden, isRecord, sleep } from "@butler/std";
import { type Connection, connectionOf, type Probe } from "./connection.ts";
import { shownKinds, type SourceName, sourceNames } from "./shown-kinds.ts";
import { emptySnapshot, type Objects, type Snapshot, type SourceState } from "./snapshot.ts";
import { sourceState } from "./source-state.ts";

/** Options for following a management cluster. */
export interface LiveOptions {
  readonly client: KubeClient;
  readonly transport: Pick<Requests, "json">;
  readonly clock: Clock;
  readonly onChange: (snapshot: Snapshot, connection: Connection) => void;
}

/** Interval of updates: fast enough for users, and cheap when many objects change at once. */
const lookEveryMs = 200;

/** Interval of probes: without them a broken connection may go unnoticed for minutes. */
const probeEveryMs = 2_000;
const probeTimeoutMs = 3_000;

/** Caches retry quickly, because a user is watching the screen. */
const backoff = { initialMs: 200, maximumMs: 3_000, factor: 2, jitter: 0.5 };

/** Follows a management cluster until the signal aborts, despite any failures. Never rejects. */
export async function followCluster(options: LiveOptions, signal: AbortSignal): Promise<void> {
  const live = new LiveData(options);
  await live.run(signal);
}

class LiveData {
  readonly #options: LiveOptions;
  readonly #caches: CacheSet;
  readonly #informers: Readonly<Record<SourceName, Informer<Kind>>>;
  readonly #changed = new Set<SourceName>();
  readonly #silentSinceMs = new Map<SourceName, number>();
  #snapshot: Snapshot = emptySnapshot;
  #connection: Connection = { state: "connecting" };
  #probe: Probe = { state: "none" };

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#caches = new CacheSet(options.client, { informer: { backoff } });
    this.#informers = informersOf(this.#caches);
    for (const [name, informer] of this.#each()) informer.addHandler(() => this.#changed.add(name));
  }

  async run(signal: AbortSignal): Promise<void> {
    void this.#caches.start(signal);
    await Promise.all([this.#repeat(lookEveryMs, signal, () => this.#look()), this.#watchServer(signal)]);
    await this.#caches.stopped();
  }

  #watchServer(signal: AbortSignal): Promise<void> {
    return this.#repeat(probeEveryMs, signal, async () => {
      this.#probe = await this.#ask(signal);
    });
  }

  async #repeat(everyMs: number, signal: AbortSignal, act: () => void | Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await act();
      await sleep(this.#options.clock, everyMs, signal).catch(() => undefined);
    }
  }

  async #ask(signal: AbortSignal): Promise<Probe> {
    const limit = AbortSignal.timeout(probeTimeoutMs);
    try {
      const answer: unknown = await this.#options.transport.json({
        method: "GET",
        path: "/version",
        signal: AbortSignal.any([signal, limit]),
        action: "get the version",
      });
      const version = isRecord(answer) ? answer["gitVersion"] : undefined;
      return { state: "answered", version: typeof version === "string" ? version : "" };
    } catch (error) {
      // A denied request proves that the API server is reachable.
      if (error instanceof Forbidden) return { state: "answered", version: "" };
      return { state: "failed", why: limit.aborted ? "the API server does not respond" : describeError(error) };
    }
  }

  #look(): void {
    const sources = this.#sources();
    const nowMs = this.#options.clock.now().getTime();
    const connection = connectionOf({
      before: this.#connection,
      probe: this.#probe,
      sources: Object.values(sources),
      nowMs,
    });
    const isSame = JSON.stringify([sources, connection]) === JSON.stringify([this.#snapshot.sources, this.#connection]);
    if (isSame && this.#changed.size === 0) return;
    this.#connection = connection;
    this.#snapshot = { ...this.#snapshot, ...this.#changedLists(), sources };
    this.#options.onChange(this.#snapshot, connection);
  }

  /** Rebuilds only the lists that have changed. */
  #changedLists(): Partial<Objects> {
    const lists = [...this.#changed].map((name) => [name, this.#informers[name].list()] as const);
    this.#changed.clear();
    return Object.fromEntries(lists);
  }

  #sources(): Snapshot["sources"] {
    const nowMs = this.#options.clock.monotonicMs();
    const states = this.#each().map(([name, { isSynced, isFollowing, lastError }]): [SourceName, SourceState] => {
      if (isFollowing) this.#silentSinceMs.delete(name);
      const sinceMs = this.#silentSinceMs.get(name) ?? nowMs;
      if (!isFollowing) this.#silentSinceMs.set(name, sinceMs);
      return [name, sourceState({ isSynced, isFollowing, lastError, silentMs: nowMs - sinceMs })];
    });
    return Object.fromEntries(states) as unknown as Snapshot["sources"];
  }

  #each(): [SourceName, Informer<Kind>][] {
    return Object.entries(this.#informers) as [SourceName, Informer<Kind>][];
  }
}

function informersOf(caches: CacheSet): Readonly<Record<SourceName, Informer<Kind>>> {
  const informers = sourceNames.map((name) => {
    // Of the Deployments, only Butler's own are shown.
    const scope = name === "deployments" ? { namespace: namespaces.system } : undefined;
    return [name, caches.of<Kind>(shownKinds[name], scope)] as const;
  });
  return Object.fromEntries(informers) as Record<SourceName, Informer<Kind>>;
}
