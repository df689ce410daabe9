import { type Kind, kindId, type ObjectKey, withoutManagedFields } from "@butler/resource";
import {
  backoffDelayMs,
  type BackoffPolicy,
  type Clock,
  describeError,
  isRetryable,
  NotFound,
  sleep,
  systemClock,
  Timeout,
} from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { Gone, Throttled } from "../client/api-errors.ts";
import type { KubeClient, Page } from "../client/client.ts";
import { informerMetrics, type InformerMetrics } from "./informer-metrics.ts";
import { matchesLabels } from "./label-selector.ts";
import type { ObjectFor } from "../client/object-for.ts";
import { type IndexFunction, ObjectStore, type StoreEvent } from "./object-store.ts";
import { cacheFault, isUsable, type Serving } from "./serving.ts";
import { guardAgainstStall } from "./stall-guard.ts";

/** The objects that an informer caches. */
export interface InformerScope {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Caches metadata only: much less memory where the body is not needed. */
  readonly metadataOnly?: boolean | undefined;
}

export interface InformerOptions extends InformerScope {
  /** Whether the process works while the kind is not served. Its cache then never keeps the process from being ready. */
  readonly isOptional?: boolean;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  readonly pageSize?: number;
  /** The server ends each watch after one to two times this long. */
  readonly watchTimeoutSeconds?: number;
  /** A watch without data for this long is closed. Bookmarks come about once a minute. */
  readonly stallTimeoutMs?: number;
  readonly backoff?: BackoffPolicy;
}

/** Called for each change, in order. Must not throw and must not wait. */
export type InformerHandler<T> = (event: StoreEvent<T>) => void;

const defaultBackoff: BackoffPolicy = { initialMs: 200, maximumMs: 30_000, factor: 2, jitter: 0.5 };

/** After this many consecutive failures the resource version is discarded and everything is listed again. */
const failuresBeforeRelist = 4;

/** How often a page of a list is retried before the whole list fails. */
const attemptsPerPage = 6;

/** A watch that ended sooner than this without events counts as a failure, to avoid a hot loop. */
const shortestUsefulWatchMs = 1_000;

/**
 * Keeps a cache of a kind in sync with the API server despite network failures: it lists in pages, watches from there,
 * resumes after an interruption, lists again when the resource version has expired, and closes a silent stream. It
 * never ends on its own, and each recovery is counted. When the API server stops serving the kind, the cache is emptied,
 * as the objects are deleted with their CRD, and filled again once the kind is back.
 */
export class Informer<K extends Kind> {
  readonly kind: K;
  readonly scope: InformerScope;
  readonly isOptional: boolean;
  readonly #client: KubeClient;
  readonly #store = new ObjectStore<ObjectFor<K>>();
  readonly #handlers = new Set<InformerHandler<ObjectFor<K>>>();
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #metrics: InformerMetrics;
  readonly #options: Required<Pick<InformerOptions, "pageSize" | "watchTimeoutSeconds" | "stallTimeoutMs" | "backoff">>;
  readonly #synced = Promise.withResolvers<void>();
  readonly #settled = Promise.withResolvers<void>();
  readonly #servingListeners = new Set<() => void>();
  #serving: Serving = "unknown";
  #resourceVersion: string | undefined;
  #failures = 0;
  #isFollowing = false;
  #lastError: unknown;
  /** Undefined when the next list is read without pages. */
  #pageSize: number | undefined;

  constructor(client: KubeClient, kind: K, options: InformerOptions = {}) {
    const { namespace, labelSelector, fieldSelector, metadataOnly, isOptional = false } = options;
    this.kind = kind;
    this.isOptional = isOptional;
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

  /** Settles after the first list. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Settles when a process may start: after the first list, or after the first attempt for an optional kind. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** Whether the cache has a list, and the kind is still served. */
  get isSynced(): boolean {
    return this.#serving === "served";
  }

  get serving(): Serving {
    return this.#serving;
  }

  /** Whether decisions may be based on the cache. */
  get isUsable(): boolean {
    return isUsable(this);
  }

  /** Why the cache keeps the process from being ready; undefined when it does not. */
  get fault(): string | undefined {
    return cacheFault(this);
  }

  /** Failures since the last success; 0 means the cache is in sync. */
  get consecutiveFailures(): number {
    return this.#failures;
  }

  /** Whether a watch is open, so that the cache is up to date. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** The last error; undefined while the cache is in sync. */
  get lastError(): unknown {
    return this.#isFollowing ? undefined : this.#lastError;
  }

  get size(): number {
    return this.#store.size;
  }

  get(key: ObjectKey): ObjectFor<K> | undefined {
    return this.#store.get(key);
  }

  /** All cached objects; frozen, shared, must not be sorted in place. */
  list(): ObjectFor<K>[] {
    return [...this.#store.values()];
  }

  addIndex(name: string, of: IndexFunction<ObjectFor<K>>): void {
    this.#store.addIndex(name, of);
  }

  byIndex(name: string, value: string): ObjectFor<K>[] {
    return this.#store.byIndex(name, value);
  }

  /**
   * Registers a handler; objects already in the cache are delivered to it at once as added. Returns a function that
   * unregisters it.
   */
  addHandler(handler: InformerHandler<ObjectFor<K>>): () => void {
    this.#handlers.add(handler);
    for (const object of this.#store.values()) this.#call(handler, { type: "add", object });
    return () => this.#handlers.delete(handler);
  }

  /**
   * Registers a listener for changes of whether the kind is served, called after the cache was emptied or filled.
   * Returns a function that unregisters it.
   */
  onServingChange(listener: () => void): () => void {
    this.#servingListeners.add(listener);
    return () => this.#servingListeners.delete(listener);
  }

  /** Applies the response to a write, so that the next read sees it. No effect when a selector might exclude it. */
  noteWrite(object: ObjectFor<K>): void {
    const { namespace, labelSelector, fieldSelector, metadataOnly } = this.scope;
    if (!this.isSynced || fieldSelector || metadataOnly) return;
    if (namespace !== undefined && namespace !== object.metadata.namespace) return;
    if (labelSelector !== undefined && !matchesLabels(labelSelector, object.metadata.labels)) return;
    // The object is deleted once its last finalizer is removed: only the stream can tell when.
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
    this.#failures = 0;
    this.#resourceVersion = resourceVersion;
    this.#become("served", () => this.#store.replaceAll(objects, resourceVersion));
    this.#synced.resolve();
    this.#settled.resolve();
  }

  #become(serving: Serving, change: () => StoreEvent<ObjectFor<K>>[]): void {
    const before = this.#serving;
    this.#serving = serving;
    this.#metrics.served(serving === "served");
    this.#dispatch(change());
    if (before === serving) return;
    if (before === "absent") this.#logger.info("kind is served again");
    for (const listener of this.#servingListeners) listener();
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

  /** A page that fails is retried alone: with many pages, starting over each time would never finish. */
  async #readPage(continueToken: string | undefined, signal: AbortSignal): Promise<Page<ObjectFor<K>>> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#client.list(this.kind, { ...this.scope, limit: this.#pageSize, continueToken, signal });
      } catch (error) {
        // The snapshot of the pages has expired; a single full list needs none.
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
      throw new Timeout(`watch ${kindId(this.kind)}: the server closed the watch immediately`);
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failures++;
    this.#lastError = error;
    this.#metrics.restarted(reasonOf(error));
    const isAbsent = error instanceof NotFound;
    if (isAbsent || error instanceof Gone || this.#failures >= failuresBeforeRelist) this.#resourceVersion = undefined;
    const delayMs = this.#delayMs(error);
    this.#report({ error, failures: this.#failures, retryInMs: delayMs });
    if (isAbsent) this.#become("absent", () => this.#store.clear());
    if (this.isOptional) this.#settled.resolve();
    await sleep(this.#clock, delayMs, signal).catch(() => undefined);
  }

  /** That a kind is not served is logged once, not at each attempt. */
  #report(fields: { readonly error: unknown; readonly failures: number; readonly retryInMs: number }): void {
    if (!(fields.error instanceof NotFound)) this.#logger.warn("watch interrupted", fields);
    else if (this.#serving === "absent") this.#logger.debug("kind is still not served", fields);
    else this.#logger[this.isOptional ? "info" : "error"]("kind is not served", fields);
  }

  #delayMs(error: unknown): number {
    // The first relist after an expired version is routine; further ones are not.
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
      // A failing listener must not block the others, or the cache.
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
