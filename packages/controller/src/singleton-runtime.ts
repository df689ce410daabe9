import type { CacheSet, Informer } from "@butler/kube";
import { type Kind, kindId } from "@butler/resource";
import { backoffDelayMs, Bug, ButlerError, type Clock, sleep, systemClock } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { decisionReader, mappingReader } from "./cache-reader.ts";
import { type PassMetrics, passMetrics } from "./controller-metrics.ts";
import type { CacheReader } from "./define-controller.ts";
import type { Occasion, SingletonDefinition, SingletonWatch } from "./define-singleton.ts";
import { limitPass } from "./limit-pass.ts";
import { type Interceptor, passThrough, type SideEffect } from "./side-effect.ts";

/** The environment of a singleton. */
export interface SingletonOptions<Ports> {
  readonly ports: Ports;
  /** Required when the singleton watches anything. */
  readonly caches?: CacheSet;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Intercepts every side effect; the crash harness uses it. */
  readonly intercept?: Interceptor;
}

/** Runs a singleton: watches, gathers changes, passes, retries. */
export class SingletonRuntime<Ports> {
  readonly #definition: SingletonDefinition<Ports>;
  readonly #ports: Ports;
  readonly #caches: CacheSet | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: PassMetrics;
  readonly #intercept: Interceptor;
  readonly #watched: readonly { readonly watch: SingletonWatch; readonly informer: Informer<Kind> }[];
  readonly #read: CacheReader;
  readonly #mapping: CacheReader;
  /** Why the next pass is due; undefined while none is. */
  #due: Occasion | undefined = "start";
  #isBusy = false;
  #hasStarted = false;
  #wakeUp: () => void = () => undefined;

  constructor(definition: SingletonDefinition<Ports>, options: SingletonOptions<Ports>) {
    this.#definition = definition;
    this.#ports = options.ports;
    this.#caches = options.caches;
    this.#clock = options.clock ?? systemClock;
    this.#logger = (options.logger ?? silentLogger).with({ controller: definition.name });
    this.#metrics = passMetrics(options.metrics ?? new MetricsRegistry(), definition.name);
    this.#intercept = options.intercept ?? passThrough;
    this.#watched = (definition.watches ?? []).map((watch) => ({ watch, informer: this.#cacheOf(watch) }));
    const find = <K extends Kind>(kind: K): Informer<K> => this.#find(kind);
    this.#read = decisionReader(find);
    this.#mapping = mappingReader(find);
  }

  /** True when no pass is due or running. */
  get isIdle(): boolean {
    return this.#due === undefined && !this.#isBusy;
  }

  /** Runs until the signal aborts, or until it is done if it runs only once. The caller must start the caches. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasStarted) throw new Bug(`singleton ${this.#definition.name} was started twice`);
    this.#hasStarted = true;
    const unsubscribe = this.#subscribe();
    const wakeUp = (): void => this.#wakeUp();
    signal.addEventListener("abort", wakeUp, { once: true });
    await this.#loop(signal);
    signal.removeEventListener("abort", wakeUp);
    for (const stop of unsubscribe) stop();
  }

  #subscribe(): (() => void)[] {
    return this.#watched.map(({ watch: { matters }, informer }) =>
      informer.addHandler((event) => {
        if (matters?.(event, this.#mapping) ?? true) this.#request("change");
      }),
    );
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { runsOnce = false, settleMs = 0, pauseMs = 0, backoff } = this.#definition;
    for (let failures = 0; !signal.aborted;) {
      await this.#untilDue(signal);
      await this.#wait(settleMs, signal);
      if (signal.aborted) return;
      failures = (await this.#pass(failures, signal)) ? 0 : failures + 1;
      if (failures === 0 && runsOnce) return;
      if (failures > 0) this.#request("retry");
      await this.#wait(failures > 0 ? backoffDelayMs(backoff, failures) : pauseMs, signal);
    }
  }

  /** A change covers only what has changed; every other occasion covers everything, and therefore precedes it. */
  #request(occasion: Occasion): void {
    if (this.#due === undefined || occasion !== "change") this.#due = occasion;
    this.#wakeUp();
  }

  async #untilDue(signal: AbortSignal): Promise<void> {
    if (this.#due !== undefined || signal.aborted) return;
    const { resyncMs } = this.#definition;
    const timer = resyncMs === undefined ? undefined : this.#clock.after(resyncMs, () => this.#request("resync"));
    await new Promise<void>((resolve) => (this.#wakeUp = resolve));
    timer?.cancel();
  }

  async #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    if (delayMs > 0) await sleep(this.#clock, delayMs, signal).catch(() => undefined);
  }

  /** Runs one pass; returns whether it succeeded. */
  async #pass(earlierFailures: number, signal: AbortSignal): Promise<boolean> {
    const occasion = this.#due ?? "resync";
    this.#due = undefined;
    this.#isBusy = true;
    const startedAtMs = this.#clock.monotonicMs();
    const sideEffects: SideEffect[] = [];
    const { timeoutMs } = this.#definition;
    const onOverdue = (limitMs: number): void =>
      this.#logger.error("reconcile pass exceeded its timeout", { timeoutMs: limitMs });
    try {
      await limitPass({ clock: this.#clock, signal, timeoutMs, onOverdue }, (limit) =>
        this.#reconcile({ occasion, sideEffects }, limit),
      );
      this.#conclude(sideEffects, this.#clock.monotonicMs() - startedAtMs);
      return true;
    } catch (error) {
      this.#metrics.wrote({ sideEffects });
      if (!signal.aborted) this.#report(error, earlierFailures + 1, this.#clock.monotonicMs() - startedAtMs);
      return false;
    } finally {
      this.#isBusy = false;
    }
  }

  #reconcile(
    { occasion, sideEffects }: { readonly occasion: Occasion; readonly sideEffects: SideEffect[] },
    signal: AbortSignal,
  ): Promise<void> {
    return this.#definition.reconcile({
      occasion,
      read: this.#read,
      ports: this.#ports,
      now: this.#clock.now(),
      signal,
      logger: this.#logger,
      act: async (effect, run) => {
        const result = await this.#intercept(effect, run);
        sideEffects.push(effect);
        return result;
      },
      noteWrite: (kind, object) => this.#caches?.noteWrite(kind, object),
    });
  }

  #conclude(sideEffects: readonly SideEffect[], durationMs: number): void {
    const outcome = sideEffects.length > 0 ? "changed" : "settled";
    this.#metrics.finished(outcome, durationMs / 1_000);
    this.#metrics.wrote({ sideEffects });
    const done = sideEffects.map(({ verb, target }) => `${verb} ${target}`);
    const fields = { outcome, durationMs: Math.round(durationMs), done };
    this.#logger[outcome === "changed" ? "info" : "debug"]("reconciled", fields);
  }

  #report(error: unknown, failures: number, durationMs: number): void {
    this.#metrics.finished("failed", durationMs / 1_000);
    this.#metrics.retried();
    const { message, hint: generalHint, level = "warn" } = this.#definition.failure;
    const hint = (error instanceof ButlerError ? error.hint : undefined) ?? generalHint;
    this.#logger[level](message, { failures, error, hint });
  }

  #cacheOf({ kind, scope = {} }: SingletonWatch): Informer<Kind> {
    if (this.#caches === undefined)
      throw new Bug(`singleton ${this.#definition.name} declares watches but has no caches`);
    return this.#caches.of(kind, scope);
  }

  #find<K extends Kind>(kind: K): Informer<K> {
    const found = this.#watched.find(({ watch }) => kindId(watch.kind) === kindId(kind));
    if (found === undefined)
      throw new Bug(`singleton ${this.#definition.name} reads ${kindId(kind)}, which it does not declare`);
    return found.informer as unknown as Informer<K>;
  }
}
