import { type Kind, kindId, type ObjectKey, withoutManagedFields } from "@butler/resource";
import {
  backoffDelayMs,
  type BackoffPolicy,
  type Clock,
  describeError,
  isRetryable,
  sleep,
  systemClock,
  Timeout,
} from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { Gone, Throttled } from "./api-errors.ts";
import type { KubeClient, Page } from "./client.ts";
import { informerMetrics, type InformerMetrics } from "./informer-metrics.ts";
import { matchesLabels } from "./label-selector.ts";
import type { ObjectFor } from "./object-for.ts";
import { type IndexFunction, ObjectStore, type StoreEvent } from "./object-store.ts";
import { guardAgainstStall } from "./stall-guard.ts";

/** Which objects an informer holds. */
export interface InformerScope {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Keeps names, labels and owners only: much less memory where the body is not needed. */
  readonly metadataOnly?: boolean | undefined;
}

export interface InformerOptions extends InformerScope {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  readonly pageSize?: number;
  /** The server ends each watch after one to two times this long. */
  readonly watchTimeoutSeconds?: number;
  /** A watch that has brought no byte for this long is given up. Bookmarks come about once a minute. */
  readonly stallTimeoutMs?: number;
  readonly backoff?: BackoffPolicy;
}

/** Called for each change, in order. Must not throw and must not wait. */
export type InformerHandler<T> = (event: StoreEvent<T>) => void;

const defaultBackoff: BackoffPolicy = { initialMs: 200, maximumMs: 30_000, factor: 2, jitter: 0.5 };

/** After this many failures in a row the resource version itself is doubted and everything is listed again. */
const failuresBeforeRelist = 4;

/** How often one page of a list is asked for before the whole list counts as failed. */
const attemptsPerPage = 6;

/** A watch that ended sooner than this without bringing anything counts as a failure, lest it spin. */
const shortestUsefulWatchMs = 1_000;

/**
 * Keeps a cache of a kind in step with the API server for as long as it runs, whatever the network does: it lists in
 * pages, watches from there, resumes after a break, lists again when the server has forgotten its place, and gives up a
 * stream that has fallen silent. It never ends by itself, and each recovery is counted.
 */
export class Informer<K extends Kind> {
  readonly kind: K;
  readonly scope: InformerScope;
  readonly #client: KubeClient;
  readonly #store = new ObjectStore<ObjectFor<K>>();
  readonly #handlers = new Set<InformerHandler<ObjectFor<K>>>();
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #metrics: InformerMetrics;
  readonly #options: Required<Pick<InformerOptions, "pageSize" | "watchTimeoutSeconds" | "stallTimeoutMs" | "backoff">>;
  readonly #synced = Promise.withResolvers<void>();
  #resourceVersion: string | undefined;
  #failures = 0;
  #isSynced = false;
  #isFollowing = false;
  #lastError: unknown;
  /** Undefined when the next list is to be read in one piece. */
  #pageSize: number | undefined;

  constructor(client: KubeClient, kind: K, options: InformerOptions = {}) {
    const { namespace, labelSelector, fieldSelector, metadataOnly } = options;
    this.kind = kind;
    this.scope = { namespace, labelSelector, fieldSelector, metadataOnly };
    this.#client = client;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#logger = (options.logger ?? silentLogger).with({ kind: kindId(kind) });
    this.#metrics = informerMetrics(options.metrics ?? new MetricsRegistry(), kindId(kind));
    this.#options = {
      pageSize: options.pageSize ?? 500,
      watchTimeoutSeconds: options.watchTimeoutSeconds ?? 300,
      stallTimeoutMs: options.stallTimeoutMs ?? 150_000,
      backoff: options.backoff ?? defaultBackoff,
    };
    this.#pageSize = this.#options.pageSize;
  }

  /** Settles when the first list is in. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Failures since something last worked; 0 means the cache follows the server. */
  get consecutiveFailures(): number {
    return this.#failures;
  }

  /** Whether a watch is open now: what is held is what the server has. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** What went wrong last; undefined while the cache follows the server. */
  get lastError(): unknown {
    return this.#isFollowing ? undefined : this.#lastError;
  }

  get size(): number {
    return this.#store.size;
  }

  get(key: ObjectKey): ObjectFor<K> | undefined {
    return this.#store.get(key);
  }

  /** Every object held; frozen, shared, not to be sorted in place. */
  list(): ObjectFor<K>[] {
    return [...this.#store.values()];
  }

  addIndex(name: string, of: IndexFunction<ObjectFor<K>>): void {
    this.#store.addIndex(name, of);
  }

  byIndex(name: string, value: string): ObjectFor<K>[] {
    return this.#store.byIndex(name, value);
  }

  /** Registers a handler; what is held already is told to it at once as added. Gives a function that unregisters it. */
  addHandler(handler: InformerHandler<ObjectFor<K>>): () => void {
    this.#handlers.add(handler);
    for (const object of this.#store.values()) this.#call(handler, { type: "add", object });
    return () => this.#handlers.delete(handler);
  }

  /** Takes in the answer to a write, so that the next read sees it. Without effect where a selector might exclude it. */
  noteWrite(object: ObjectFor<K>): void {
    const { namespace, labelSelector, fieldSelector, metadataOnly } = this.scope;
    if (!this.#isSynced || fieldSelector || metadataOnly) return;
    if (namespace !== undefined && namespace !== object.metadata.namespace) return;
    if (labelSelector !== undefined && !matchesLabels(labelSelector, object.metadata.labels)) return;
    // The object is gone as soon as its last finalizer is: only the stream can say when.
    if (object.metadata.deletionTimestamp !== undefined && !object.metadata.finalizers?.length) return;
    this.#dispatch(this.#store.receiveWrite(withoutManagedFields(object)));
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === undefined) await this.#listAll(signal);
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) break;
        await this.#recover(error, signal);
      }
    }
  }

  async #listAll(signal: AbortSignal): Promise<void> {
    const { objects, resourceVersion } = await this.#readPages(signal);
    this.#pageSize = this.#options.pageSize;
    this.#metrics.listed();
    this.#dispatch(this.#store.replaceAll(objects, resourceVersion));
    this.#resourceVersion = resourceVersion;
    this.#failures = 0;
    if (!this.#isSynced) {
      this.#isSynced = true;
      this.#synced.resolve();
    }
  }

  async #readPages(signal: AbortSignal): Promise<{ objects: ObjectFor<K>[]; resourceVersion: string }> {
    const objects: ObjectFor<K>[] = [];
    let continueToken: string | undefined;
    for (;;) {
      const page = await this.#readPage(continueToken, signal);
      for (const item of page.items) objects.push(withoutManagedFields(item));
      ({ continueToken } = page);
      if (continueToken === undefined) return { objects, resourceVersion: page.resourceVersion };
    }
  }

  /** A page that fails is read again by itself: with many pages, starting over each time would never end. */
  async #readPage(continueToken: string | undefined, signal: AbortSignal): Promise<Page<ObjectFor<K>>> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#client.list(this.kind, { ...this.scope, limit: this.#pageSize, continueToken, signal });
      } catch (error) {
        // The snapshot that the pages come from is gone; one answer for everything needs none.
        if (error instanceof Gone) this.#pageSize = undefined;
        if (signal.aborted || error instanceof Gone || !isRetryable(error) || failures >= attemptsPerPage) throw error;
        this.#metrics.restarted(reasonOf(error));
        await sleep(this.#clock, backoffDelayMs(this.#options.backoff, failures, this.#random), signal);
      }
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { watchTimeoutSeconds, stallTimeoutMs } = this.#options;
    const startedAtMs = this.#clock.monotonicMs();
    const stream = await this.#client.watch(this.kind, {
      ...this.scope,
      resourceVersion: this.#resourceVersion ?? "",
      timeoutSeconds: Math.ceil(watchTimeoutSeconds * (1 + this.#random())),
      signal,
    });
    const stopGuard = guardAgainstStall(stream, { clock: this.#clock, stallTimeoutMs, kind: this.kind });
    let hasProgress = false;
    this.#isFollowing = true;
    try {
      for await (const event of stream) {
        hasProgress = true;
        this.#failures = 0;
        if (event.type === "BOOKMARK") {
          this.#resourceVersion = event.resourceVersion;
          this.#store.advance(BigInt(event.resourceVersion));
        } else {
          const events = this.#store.receive(event.type, withoutManagedFields(event.object));
          this.#resourceVersion = event.object.metadata.resourceVersion;
          this.#dispatch(events);
        }
      }
    } finally {
      stopGuard();
      this.#isFollowing = false;
    }
    this.#metrics.restarted("ended");
    if (!hasProgress && this.#clock.monotonicMs() - startedAtMs < shortestUsefulWatchMs) {
      throw new Timeout(`watch ${kindId(this.kind)}: the server ended the watch at once`);
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failures++;
    this.#lastError = error;
    this.#metrics.restarted(reasonOf(error));
    if (error instanceof Gone || this.#failures >= failuresBeforeRelist) this.#resourceVersion = undefined;
    const delayMs = this.#delayMs(error);
    this.#logger.warn("watch interrupted", { error, failures: this.#failures, retryInMs: delayMs });
    await sleep(this.#clock, delayMs, signal).catch(() => undefined);
  }

  #delayMs(error: unknown): number {
    // The first relist after a forgotten version is routine; further ones are not.
    if (error instanceof Gone && this.#failures === 1) return 0;
    const backoffMs = backoffDelayMs(this.#options.backoff, this.#failures, this.#random);
    return error instanceof Throttled ? Math.max(error.retryAfterMs, backoffMs) : backoffMs;
  }

  #dispatch(events: readonly StoreEvent<ObjectFor<K>>[]): void {
    this.#metrics.held(this.#store.size);
    for (const event of events) {
      this.#metrics.received(event.type);
      for (const handler of this.#handlers) this.#call(handler, event);
    }
  }

  #call(handler: InformerHandler<ObjectFor<K>>, event: StoreEvent<ObjectFor<K>>): void {
    try {
      handler(event);
    } catch (error) {
      // One broken listener must not keep the others, or the cache, from what follows.
      this.#metrics.handlerFailed();
      this.#logger.error("handler failed", { error, object: event.object.metadata.name });
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Gone) return "expired";
  if (error instanceof Timeout) return "stalled";
  if (error instanceof Throttled) return "throttled";
  const code = error instanceof Error && "code" in error ? String(error.code) : describeError(error);
  return code.toLowerCase();
}
