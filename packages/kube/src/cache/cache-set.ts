import { type Kind, kindId } from "@butler/resource";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import type { KubeClient } from "../client/client.ts";
import { Informer, type InformerOptions, type InformerScope } from "./informer.ts";
import type { ObjectFor } from "../client/object-for.ts";

export interface CacheSetOptions {
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** Kinds that the process works without, because they may be installed later or removed at any time. */
  readonly optionalKinds?: readonly Kind[];
  /** Settings for every informer, mostly for tests. */
  readonly informer?: InformerOptions;
}

/** The caches of one process: one informer per kind and scope, shared by all users. */
export class CacheSet {
  readonly #client: KubeClient;
  readonly #options: CacheSetOptions;
  readonly #informers = new Map<string, Informer<Kind>>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(client: KubeClient, options: CacheSetOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /** The informer of a kind. A call before `start` registers it; a later call starts it at once. */
  of<K extends Kind>(kind: K, scope: InformerScope = {}): Informer<K> {
    const id = JSON.stringify([kindId(kind), kind.version, scope]);
    const existing = this.#informers.get(id);
    if (existing !== undefined) return existing as unknown as Informer<K>;
    const { logger, metrics, informer: settings, optionalKinds = [] } = this.#options;
    const informer = new Informer(this.#client, kind, {
      ...settings,
      ...scope,
      isOptional: optionalKinds.some((optional) => kindId(optional) === kindId(kind)),
      ...(logger === undefined ? {} : { logger }),
      ...(metrics === undefined ? {} : { metrics }),
    });
    this.#informers.set(id, informer);
    if (this.#signal !== undefined) this.#run(informer, this.#signal);
    return informer;
  }

  /**
   * Starts every informer and waits until each has its first list, or the signal aborts. Optional kinds are waited for
   * only until the first attempt.
   */
  async start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#run(informer, signal);
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([Promise.all([...this.#informers.values()].map(({ settled }) => settled)), aborted]);
  }

  /** Settles when every informer has stopped after the signal. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Applies the response to a write to the caches of its kind. */
  noteWrite<K extends Kind>(kind: K, object: ObjectFor<K>): void {
    for (const informer of this.#informers.values()) {
      if (informer.kind.plural === kind.plural && informer.kind.group === kind.group) {
        informer.noteWrite(object as ObjectFor<Kind>);
      }
    }
  }

  /** Whether every mandatory cache is in sync; otherwise the process is not ready. */
  get isHealthy(): boolean {
    return this.faults.length === 0;
  }

  /** Why the process is not ready. Optional kinds never are a reason. */
  get faults(): readonly string[] {
    return [...this.#informers.values()].flatMap(({ fault }) => fault ?? []);
  }

  #run(informer: Informer<Kind>, signal: AbortSignal): void {
    const running = informer.run(signal).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
