import type { CacheSet, Informer, InformerScope, KubeClient, Lane, ObjectFor, WorkQueueOptions } from "@butler/kube";
import { WorkQueue } from "@butler/kube";
import {
  type Condition,
  isConditionTrue,
  type Kind,
  keyOf,
  kindId,
  type KubeObject,
  keyText,
  type ObjectKey,
  type ObjectOf,
  parseKeyText,
  type Resource,
} from "@butler/resource";
import { Bug, type Clock, isRetryable, systemClock } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { AppliedMemory } from "./applied.ts";
import { decisionReader, mappingReader } from "./cache-reader.ts";
import { type ControllerMetrics, controllerMetrics } from "./controller-metrics.ts";
import type { CacheReader, ControllerDefinition } from "./define-controller.ts";
import { statusOf } from "./desired-status.ts";
import { EventRecorder } from "./event-recorder.ts";
import { limitPass } from "./limit-pass.ts";
import { ownerKeyOf } from "./owned-objects.ts";
import type { PassContext } from "./pass.ts";
import type { Effect } from "./plan.ts";
import { type PlanPreview, previewPlan } from "./preview.ts";
import { type PassResult, Reconciler } from "./reconciler.ts";
import { type Interceptor, passThrough } from "./side-effect.ts";

export interface RuntimeOptions<Ports> {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly ports: Ports;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  readonly queue?: WorkQueueOptions;
  /** Intercepts every side effect of the controller; the crash harness uses it. */
  readonly intercept?: Interceptor;
}

/** An error that only a change can fix is still retried at this interval: the change may be outside the caches. */
const terminalRetryMs = 300_000;

/** Runs a controller: watches, queues, passes, retries. */
export class ControllerRuntime<R extends Resource, Observed, E extends Effect, Ports> {
  readonly #definition: ControllerDefinition<R, Observed, E, Ports>;
  readonly #caches: CacheSet;
  readonly #scopes = new Map<string, InformerScope>();
  readonly #queue: WorkQueue;
  readonly #reconciler: Reconciler<R, Observed, E, Ports>;
  readonly #context: PassContext<Ports>;
  readonly #mapping: CacheReader;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: ControllerMetrics;
  readonly #primary: Informer<R>;
  readonly #unsubscribe: (() => void)[] = [];
  #hasStarted = false;

  constructor(definition: ControllerDefinition<R, Observed, E, Ports>, options: RuntimeOptions<Ports>) {
    this.#definition = definition;
    this.#caches = options.caches;
    this.#clock = options.clock ?? systemClock;
    this.#logger = (options.logger ?? silentLogger).with({ controller: definition.name });
    this.#metrics = controllerMetrics(options.metrics ?? new MetricsRegistry(), definition.name, definition.primary);
    this.#queue = new WorkQueue({
      clock: this.#clock,
      ...options.queue,
      onDepth: (depth) => this.#metrics.depth(depth),
    });
    this.#primary = this.#caches.of(definition.primary);
    this.#registerScopes();
    const find = <K extends Kind>(kind: K): Informer<K> => this.#cacheOf(kind);
    this.#mapping = mappingReader(find);
    this.#context = {
      client: options.client,
      read: decisionReader(find),
      noteWrite: (kind, object) => this.#caches.noteWrite(kind, object),
      ports: options.ports,
      clock: this.#clock,
      events: new EventRecorder(options.client, `butler-${definition.name}`),
      intercept: options.intercept ?? passThrough,
      logger: this.#logger,
      memory: new AppliedMemory(),
    };
    this.#reconciler = new Reconciler(definition, this.#context);
  }

  /** True when nothing is queued, nothing is running and no retry is due. */
  get isIdle(): boolean {
    return this.#queue.depth === 0 && this.#queue.inProgress === 0;
  }

  /** Number of keys that are scheduled for a later pass. */
  get delayed(): number {
    return this.#queue.delayed;
  }

  /** Runs until the signal aborts, then waits for running passes to finish. The caller must start the caches. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasStarted) throw new Bug(`controller ${this.#definition.name} was started twice`);
    this.#hasStarted = true;
    this.#subscribe();
    const workers = Array.from({ length: this.#definition.concurrency ?? 4 }, () =>
      this.#queue.drain((key) => this.#pass(key, signal)),
    );
    const close = (): void => this.#queue.close();
    signal.addEventListener("abort", close, { once: true });
    if (signal.aborted) close();
    await Promise.all(workers);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** Enqueues an object because of a change outside the caches. */
  wake(key: ObjectKey): void {
    this.#queue.add(keyText(key));
  }

  /** What a pass over an object would do now, without doing it. Undefined when there is nothing to decide. */
  async preview(key: ObjectKey, signal: AbortSignal = new AbortController().signal): Promise<PlanPreview | undefined> {
    const primary = this.#primary.get(key) as ObjectOf<R> | undefined;
    if (primary === undefined) return undefined;
    const plan = await this.#reconciler.decide(primary, signal);
    return plan && previewPlan({ definition: this.#definition, context: this.#context, primary, plan });
  }

  #registerScopes(): void {
    const { owns = [], reads = [], watches = [], indexes = [] } = this.#definition;
    for (const { kind, scope = {} } of [...owns, ...reads, ...watches]) {
      this.#scopes.set(kindId(kind), scope);
      this.#caches.of(kind, scope);
    }
    for (const { kind, name, of } of indexes) this.#cacheOf(kind).addIndex(name, of);
  }

  #cacheOf<K extends Kind>(kind: K): Informer<K> {
    const id = kindId(kind);
    if (id === kindId(this.#definition.primary)) return this.#caches.of(kind);
    const scope = this.#scopes.get(id);
    if (scope === undefined)
      throw new Bug(`controller ${this.#definition.name} reads ${id}, which it does not declare`);
    return this.#caches.of(kind, scope);
  }

  #subscribe(): void {
    const { primary, owns = [], watches = [], reads = [] } = this.#definition;
    this.#unsubscribe.push(
      this.#listen(this.#primary, (object) => [keyOf(object)]),
      this.#primary.addHandler((event) => {
        if (event.type === "delete") this.#forget(event.object);
      }),
    );
    for (const { kind } of owns) {
      this.#unsubscribe.push(
        this.#listen(this.#cacheOf(kind), (object) => {
          const owner = ownerKeyOf(primary, object);
          return owner === undefined ? [] : [owner];
        }),
        this.#cacheOf(kind).addHandler((event) => {
          if (event.type === "delete") this.#context.memory.forget((event.object as KubeObject).metadata.uid);
        }),
      );
    }
    for (const { kind, map } of watches) {
      this.#unsubscribe.push(this.#listen(this.#cacheOf(kind), (object) => map(object, this.#mapping)));
    }
    const declared = new Map([...owns, ...watches, ...reads].map(({ kind }) => [kindId(kind), kind]));
    for (const kind of declared.values()) {
      this.#unsubscribe.push(this.#cacheOf(kind).onServingChange(() => this.#wakeAll()));
    }
  }

  /** A kind that came or went concerns every object, also those without an object of that kind. */
  #wakeAll(): void {
    for (const object of this.#primary.list()) this.#queue.add(keyText(keyOf(object)), "backlog");
  }

  #listen<K extends Kind>(informer: Informer<K>, keysOf: (object: KubeObject) => readonly ObjectKey[]): () => void {
    // Objects that exist at startup go to the backlog; later changes have priority.
    let lane: Lane = "backlog";
    const remove = informer.addHandler((event) => {
      const objects = event.type === "update" ? [event.object, event.previous] : [event.object];
      const keys = new Set(objects.flatMap((object) => keysOf(object as KubeObject).map(keyText)));
      for (const key of keys) this.#queue.add(key, lane);
    });
    lane = "live";
    return remove;
  }

  async #pass(key: string, signal: AbortSignal): Promise<void> {
    const primary = this.#primary.get(parseKeyText(key)) as ObjectOf<R> | undefined;
    if (primary === undefined) {
      this.#queue.forget(key);
      return;
    }
    const startedAtMs = this.#clock.monotonicMs();
    const { timeoutMs } = this.#definition;
    const onOverdue = (limitMs: number): void =>
      this.#logger.error("reconcile pass exceeded its timeout", { object: key, timeoutMs: limitMs });
    try {
      const earlierFailures = this.#queue.failuresOf(key);
      const result = await limitPass({ clock: this.#clock, signal, timeoutMs, onOverdue }, (limit) =>
        this.#reconciler.reconcile(primary, { signal: limit, earlierFailures }),
      );
      this.#conclude(key, result, this.#clock.monotonicMs() - startedAtMs);
    } catch (error) {
      // The status could not be written, so only the log reports the error.
      this.#metrics.finished("crashed", (this.#clock.monotonicMs() - startedAtMs) / 1_000);
      this.#retry(key, error);
    }
  }

  #conclude(key: string, result: PassResult, durationMs: number): void {
    this.#metrics.finished(result.outcome, durationMs / 1_000);
    this.#metrics.wrote(result);
    this.#trackReadiness(key);
    if (result.failure !== undefined) {
      this.#retry(key, result.failure.error, result.outcome === "conflicted");
      return;
    }
    this.#queue.forget(key);
    // The result of an effect is outside every cache, so no watch will enqueue the object.
    if (result.hasPerformed) this.#queue.add(key);
    else if (result.requeueAfterMs !== undefined) this.#queue.addAfter(key, result.requeueAfterMs);
    const level = result.outcome === "changed" ? "info" : "debug";
    const done = result.sideEffects.map(({ verb, target }) => `${verb} ${target}`);
    this.#logger[level]("reconciled", {
      object: key,
      outcome: result.outcome,
      durationMs: Math.round(durationMs),
      done,
    });
  }

  #retry(key: string, error: unknown, isRoutine = false): void {
    this.#metrics.retried();
    const delayMs = this.#queue.addAfterFailure(key);
    if (!isRetryable(error) && delayMs < terminalRetryMs) this.#queue.postpone(key, terminalRetryMs);
    const fields = { object: key, failures: this.#queue.failuresOf(key), retryInMs: delayMs, error };
    if (isRoutine) this.#logger.debug("reconcile conflict, retrying", fields);
    else this.#logger.warn("reconcile failed", fields);
  }

  #trackReadiness(key: string): void {
    const object = this.#primary.get(parseKeyText(key)) as KubeObject | undefined;
    if (object === undefined || !this.#definition.primary.hasConditions) return;
    const conditions = statusOf(object)["conditions"] as readonly Condition[] | undefined;
    this.#metrics.ready(object, isConditionTrue(conditions, "Ready"));
  }

  #forget(object: ObjectFor<R>): void {
    this.#metrics.gone(object);
    this.#context.events.forget((object as KubeObject).metadata.uid);
    this.#queue.forget(keyText(keyOf(object)));
  }
}
