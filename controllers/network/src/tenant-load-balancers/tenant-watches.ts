import { keyText, type Kind, type KubeObject, type ObjectKey, parseKeyText } from "@butler/resource";
import { type Clock, systemClock } from "@butler/std";
import { type Logger, silentLogger } from "@butler/telemetry";
import type { TenantClients } from "@butler/tenant-clients";
import type { TenantView } from "./observed.ts";
import { TenantWatch } from "./tenant-watch.ts";

/** Dependencies of the watches. */
export interface TenantWatchesOptions {
  readonly tenants: Pick<TenantClients, "follow" | "clientFor" | "stateOf" | "subscribe">;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
}

/** How to watch a cluster's tenant. */
export interface WatchedTenant {
  readonly cluster: ObjectKey;
  readonly kubeconfig: ObjectKey;
  readonly hasMetalLb: boolean;
}

interface Held {
  readonly watch: TenantWatch;
  /** When its kubeconfig was found to be deleted, which ends all watches. */
  goneAtMs?: number;
}

/** Retry delay for a tenant without a kubeconfig. */
const goneDelayMs = 20_000;

/** The load balancers of all tenants of this process, each watched on its own. */
export class TenantWatches {
  readonly #tenants: TenantWatchesOptions["tenants"];
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #held = new Map<string, Held>();
  readonly #listeners = new Set<(cluster: ObjectKey) => void>();

  constructor({ tenants, clock = systemClock, logger = silentLogger }: TenantWatchesOptions) {
    this.#tenants = tenants;
    this.#clock = clock;
    this.#logger = logger;
    tenants.subscribe(({ type, key }) => {
      for (const [cluster, held] of this.#held) {
        if (keyText(held.watch.options.kubeconfig) !== keyText(key)) continue;
        if (type === "gone") held.goneAtMs = this.#clock.monotonicMs();
        this.#tell(parseKeyText(cluster));
      }
    });
  }

  /** Calls back with a cluster whenever something about its tenant has changed. */
  onChange(listener: (cluster: ObjectKey) => void): void {
    this.#listeners.add(listener);
  }

  /** State of a tenant; undefined if it may be outdated. */
  read(tenant: WatchedTenant): TenantView | undefined {
    const { watch, goneAtMs } = this.#heldOf(tenant);
    return goneAtMs === undefined ? watch.read() : undefined;
  }

  /** Fresh state of the tenant; undefined if it is unreachable. */
  async look(tenant: WatchedTenant, signal: AbortSignal): Promise<TenantView | undefined> {
    try {
      return await this.#heldOf(tenant).watch.look(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#logger.debug("failed to read a tenant's load balancers", { tenant: keyText(tenant.cluster), error });
      return undefined;
    }
  }

  /** Adds the response to a write in a tenant. */
  noteWrite(cluster: ObjectKey, kind: Kind, object: KubeObject): void {
    this.#held.get(keyText(cluster))?.watch.noteWrite(kind, object);
  }

  /** Stops watching a tenant. */
  release(cluster: ObjectKey): void {
    const held = this.#held.get(keyText(cluster));
    this.#held.delete(keyText(cluster));
    void held?.watch.stop();
  }

  /** How many tenants are watched. */
  get size(): number {
    return this.#held.size;
  }

  #heldOf({ cluster, kubeconfig, hasMetalLb }: WatchedTenant): Held {
    const held = this.#held.get(keyText(cluster));
    if (held !== undefined && this.#isValid(held, { cluster, kubeconfig, hasMetalLb })) return held;
    this.release(cluster);
    const onChange = (): void => this.#tell(cluster);
    const watch = new TenantWatch({ tenants: this.#tenants, clock: this.#clock, kubeconfig, hasMetalLb, onChange });
    const fresh: Held = { watch };
    this.#held.set(keyText(cluster), fresh);
    return fresh;
  }

  #isValid({ watch, goneAtMs }: Held, { kubeconfig, hasMetalLb }: WatchedTenant): boolean {
    const { options } = watch;
    if (keyText(options.kubeconfig) !== keyText(kubeconfig) || options.hasMetalLb !== hasMetalLb) return false;
    return goneAtMs === undefined || this.#clock.monotonicMs() - goneAtMs < goneDelayMs;
  }

  #tell(cluster: ObjectKey): void {
    for (const listener of this.#listeners) listener(cluster);
  }
}
