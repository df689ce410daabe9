import { CacheSet, type KubeClient } from "@butler/kube";
import type { DynamicObject } from "@butler/resource";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import { webhookConfigurationKinds } from "./manifests.ts";
import { isToBePutRight } from "./plan.ts";

/** The server whose configurations are watched. */
export interface ConfigurationWatchOptions {
  readonly client: KubeClient;
  readonly name: string;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Detects drift of an admission server's configurations. */
export class ConfigurationWatch {
  readonly #caches: CacheSet;
  readonly #informers;
  readonly #name: string;
  #expected: readonly DynamicObject[] = [];
  #fault = new AbortController();

  constructor({ client, name, logger, metrics }: ConfigurationWatchOptions) {
    this.#name = name;
    this.#caches = new CacheSet(client, { logger, metrics });
    const scope = { fieldSelector: `metadata.name=${name}` };
    this.#informers = Object.values(webhookConfigurationKinds).map((kind) => this.#caches.of(kind, scope));
    for (const informer of this.#informers) informer.addHandler(() => this.#look());
  }

  /** Watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#caches.start(signal);
    await this.#caches.stopped();
  }

  /** Sets the expected configurations. */
  expect(wanted: readonly DynamicObject[]): void {
    this.#expected = wanted;
  }

  get expected(): readonly DynamicObject[] {
    return this.#expected;
  }

  /** The expected configurations that are missing or have drifted. */
  faulty(): DynamicObject[] {
    return this.#expected.filter((wanted) => {
      const informer = this.#informers.find(({ kind }) => kind.kind === wanted.kind);
      return informer?.isSynced === true && isToBePutRight(informer.get({ name: this.#name }), wanted);
    });
  }

  /** Aborts as soon as a configuration has drifted, which may be immediately. */
  nextFault(): AbortSignal {
    this.#fault = new AbortController();
    this.#look();
    return this.#fault.signal;
  }

  #look(): void {
    if (this.faulty().length > 0) this.#fault.abort();
  }
}
