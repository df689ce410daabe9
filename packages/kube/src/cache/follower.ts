import { type Kind, kindId } from "@butler/resource";
import { backoffDelayMs, type BackoffPolicy, type Clock, sleep, Timeout, type Timer } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { listPage } from "../client/bounded-reads.ts";
import type { KubeClient } from "../client/client.ts";
import type { ObjectFor } from "../client/object-for.ts";
import type { WatchStream } from "../client/watch.ts";
import type { InformerScope } from "./informer.ts";
import { guardAgainstStall } from "./stall-guard.ts";

/** Callbacks of a follower. It waits for each before it reads on. */
export interface FollowerHandlers<T> {
  /** An object that is there: listed, added or changed. */
  readonly onObject: (object: T, signal: AbortSignal) => void | Promise<void>;
  /** An object that was deleted, or no longer matches the selector. */
  readonly onGone?: (object: T) => void;
  /** A list begins: what follows belongs to it. */
  readonly onListing?: () => void;
  /** A complete list was read: objects not reported since it began did not exist at that version. */
  readonly onListed?: (version: string) => void;
}

export interface FollowerOptions<K extends Kind> extends FollowerHandlers<ObjectFor<K>> {
  readonly client: Pick<KubeClient, "list" | "watch">;
  readonly kind: K;
  readonly scope: InformerScope;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
  /** Calls back when an immediate retry makes sense; returns a function that unsubscribes. */
  readonly onReachable?: ((listener: () => void) => () => void) | undefined;
}

/** Small, because a tenant may make each object as large as its API server allows. */
const pageSize = 25;
/** A watch that ended sooner than this counts as a failure: the next one is delayed. */
const shortestUsefulWatchMs = 1_000;
/** A periodic list covers whatever a watch may have missed. */
const watchSeconds = 300;
/** The server sends a bookmark about once a minute; without one the connection is considered dead. */
const stallTimeoutMs = 150_000;
const backoff: BackoffPolicy = { initialMs: 250, maximumMs: 30_000, factor: 2, jitter: 0.5 };

/**
 * Reports changes to the objects of a kind without caching them, so that its memory does not depend on their number.
 * After any failure it lists again.
 */
export class Follower<K extends Kind> {
  readonly #options: FollowerOptions<K>;
  readonly #random: () => number;
  #version: string | undefined;
  #stream: WatchStream<ObjectFor<K>> | undefined;
  #nextList: { readonly timer: Timer; readonly dueAtMs: number } | undefined;

  constructor(options: FollowerOptions<K>) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  get kind(): K {
    return this.#options.kind;
  }

  /** Lists everything once, and rejects when that fails. `run` continues from there. */
  async list(signal: AbortSignal): Promise<void> {
    const { client, kind, scope, onListing, onObject, onListed } = this.#options;
    this.#nextList?.timer.cancel();
    this.#nextList = undefined;
    let continueToken: string | undefined;
    let version: string;
    onListing?.();
    do {
      const page = await listPage(client, kind, { ...scope, limit: pageSize, continueToken, signal });
      for (const object of page.items) await onObject(object, signal);
      ({ continueToken, resourceVersion: version } = page);
    } while (continueToken !== undefined);
    onListed?.(version);
    this.#version = version;
  }

  /** Watches until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const startedAtMs = clock.monotonicMs();
      try {
        if (this.#version === undefined) await this.list(signal);
        await this.#watch(signal);
        failures = 0;
      } catch (error) {
        const wasUseful = clock.monotonicMs() - startedAtMs > backoff.maximumMs;
        failures = wasUseful ? 1 : failures + 1;
        if (await this.#recover(error, { failures, signal })) failures = 0;
      }
      this.#version = undefined;
    }
    this.#nextList?.timer.cancel();
  }

  /** Ends the watch after a maximum time, so that everything is listed again. */
  listAgainIn(delayMs: number): void {
    const { clock } = this.#options;
    const dueAtMs = clock.monotonicMs() + delayMs;
    if (this.#nextList !== undefined && this.#nextList.dueAtMs <= dueAtMs) return;
    this.#nextList?.timer.cancel();
    this.#nextList = { dueAtMs, timer: clock.after(delayMs, () => this.#stream?.close(new TimeToList())) };
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, kind, scope, onObject, onGone, clock } = this.#options;
    const stream = await client.watch(kind, {
      ...scope,
      resourceVersion: this.#version ?? "",
      timeoutSeconds: Math.ceil(watchSeconds * (1 + this.#random())),
      signal,
    });
    this.#stream = stream;
    const openedAtMs = clock.monotonicMs();
    const stopGuard = guardAgainstStall(stream, { clock, stallTimeoutMs, kind });
    try {
      if (this.#nextList !== undefined && this.#nextList.dueAtMs <= clock.monotonicMs()) return;
      for await (const event of stream) {
        if (event.type === "BOOKMARK") continue;
        if (event.type === "DELETED") onGone?.(event.object);
        else await onObject(event.object, signal);
      }
      if (clock.monotonicMs() - openedAtMs < shortestUsefulWatchMs) {
        throw new Timeout(`watch ${kindId(kind)}: the server closed the watch immediately`);
      }
    } catch (error) {
      if (!(error instanceof TimeToList)) throw error;
    } finally {
      stopGuard();
      this.#stream = undefined;
      stream.close(new TimeToList());
    }
  }

  /** Waits before the next attempt; true when the wait was cut short because the tenant is reachable again. */
  async #recover(error: unknown, { failures, signal }: { failures: number; signal: AbortSignal }): Promise<boolean> {
    if (signal.aborted) return false;
    const { clock, logger, kind, onReachable } = this.#options;
    const retryInMs = backoffDelayMs(backoff, failures, this.#random);
    // A tenant that is down for long is logged once.
    logger[failures === 1 ? "warn" : "debug"]("watch interrupted", { kind: kindId(kind), error, failures, retryInMs });
    const reachable = new AbortController();
    const stopListening = onReachable?.(() => reachable.abort());
    await sleep(clock, retryInMs, AbortSignal.any([signal, reachable.signal])).catch(() => undefined);
    stopListening?.();
    return reachable.signal.aborted;
  }
}

/** Not a failure: the watch was ended on purpose. */
class TimeToList extends Error {}
