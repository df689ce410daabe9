import {
  boundedClient,
  Informer,
  type InformerScope,
  type KubeClient,
  type ObjectFor,
  tenantReadLimits,
} from "@butler/kube";
import type { Kind, ObjectKey } from "@butler/resource";
import type { Clock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { TenantEvent } from "./tenant-event.ts";

export interface FollowOptions<K extends Kind> extends InformerScope {
  readonly kind: K;
  /** Called after each change, and after the first list. Must not block. */
  readonly onChange: () => void;
  /** A tenant may create any number of objects; more than this are not cached: see `problem` then. */
  readonly maximumObjects?: number | undefined;
}

interface FollowingContext {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onStop: () => void;
}

/** Small, because a tenant may make each object as large as its API server allows. */
const pageSize = 100;

/** A cache of the objects of a kind in a tenant. It pauses while the tenant is unreachable. */
export class Following<K extends Kind> {
  readonly #options: FollowOptions<K>;
  readonly #context: FollowingContext;
  #informer: Informer<K>;
  #run: AbortController | undefined;
  /** The end of the last run; the next one waits for it, so that they do not write into the same store concurrently. */
  #ended: Promise<void> = Promise.resolve();
  #isStopped = false;
  #hasFailed = false;
  #problem: Error | undefined;

  constructor(options: FollowOptions<K>, context: FollowingContext) {
    this.#options = options;
    this.#context = context;
    this.#informer = this.#begin();
  }

  /** Whether a complete list was read since the start. */
  get isSynced(): boolean {
    return this.#informer.isSynced;
  }

  /** Why the cache differs from the tenant; undefined when it is in sync. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  get(key: ObjectKey): ObjectFor<K> | undefined {
    return this.#informer.get(key);
  }

  /** All cached objects; frozen, shared, must not be sorted in place. */
  list(): readonly ObjectFor<K>[] {
    return this.#informer.list();
  }

  /** Stops it and settles when nothing is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#context.onStop();
    this.#rest();
    await this.#ended;
  }

  /** Handles an event of the tenant. */
  note(event: TenantEvent): void {
    if (this.#isStopped) return;
    if (event.type === "gone") void this.stop();
    if (event.type === "unreachable") this.#rest();
    if (event.type === "replaced" && event.isAnotherCluster) {
      // Resource versions of another cluster are meaningless, and so are objects of the former one.
      this.#rest();
      this.#informer = this.#begin();
    }
    if (event.type === "reachable") this.hurry();
  }

  /** Retries at once instead of waiting for the next attempt. */
  hurry(): void {
    if (this.#isStopped || (this.#run !== undefined && !this.#hasFailed)) return;
    this.#rest();
    this.#resume(this.#informer);
  }

  #begin(): Informer<K> {
    const { kind, namespace, labelSelector, fieldSelector, metadataOnly, onChange } = this.#options;
    const { clock, logger } = this.#context;
    const scope = { namespace, labelSelector, fieldSelector, metadataOnly };
    const informer = new Informer(this.#boundedClient(), kind, {
      ...scope,
      clock,
      // Without metrics: those of informers are by kind only, and would show only the last tenant.
      pageSize,
      logger: quiet(logger),
    });
    informer.addHandler(() => {
      if (informer.size > this.#maximum) this.#breakOff(informer);
      else onChange();
    });
    // An empty list causes no change, but is still reported.
    void informer.synced.then(() => this.#informer === informer && !this.#isStopped && onChange());
    this.#resume(informer);
    return informer;
  }

  #resume(informer: Informer<K>): void {
    const controller = new AbortController();
    this.#run = controller;
    this.#ended = this.#ended.then(() => informer.run(controller.signal));
  }

  #rest(): void {
    this.#run?.abort();
    this.#run = undefined;
  }

  /** The part of a client that an informer uses. It aborts a list that is too large. */
  #boundedClient(): KubeClient {
    return boundedClient(this.#context.client, {
      limits: { ...tenantReadLimits, maximumObjects: this.#maximum },
      held: () => this.#informer.size,
      onFailing: (hasFailed) => (this.#hasFailed = hasFailed),
      onComplete: () => (this.#problem = undefined),
      onTooMuch: (problem) => {
        const isNew = this.#problem === undefined;
        this.#problem = problem;
        if (isNew) this.#options.onChange();
      },
    });
  }

  /** Each attempt fails until there are fewer objects. */
  #breakOff(informer: Informer<K>): void {
    if (this.#run === undefined || this.#informer !== informer) return;
    this.#rest();
    this.#resume(informer);
  }

  get #maximum(): number {
    return this.#options.maximumObjects ?? tenantReadLimits.maximumObjects;
  }
}

/** An unreachable tenant is logged once, by the connection; not again by each of its users. */
function quiet(logger: Logger): Logger {
  return {
    ...logger,
    warn: (message, fields) => logger.debug(message, fields),
    with: (fields) => quiet(logger.with(fields)),
  };
}
