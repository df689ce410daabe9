import { TenantControlPlane } from "@butler/api";
import type { CacheSet, InformerScope } from "@butler/kube";
import { keyText, type KubeObject } from "@butler/resource";
import { type Clock, systemClock, type Timer } from "@butler/std";
import { type Logger, silentLogger } from "@butler/telemetry";
import { Service } from "../exposure/kinds.ts";
import { serviceComponent } from "../exposure/service.ts";
import { componentLabel } from "../names.ts";
import { routeClaims } from "./route-claims.ts";
import { buildRouteTable, type RouteTable } from "./route-table.ts";

export interface RouteWatchOptions {
  /** Told each table that differs in something from the one before. */
  readonly onTable: (table: RouteTable) => void;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Changes that come within this time are taken together: a hundred tenants at the start are one table. */
const gatherMs = 20;

/** The Services of control planes; those of all others stay out of memory. */
const serviceScope: InformerScope = { labelSelector: `${componentLabel}=${serviceComponent}` };

/**
 * Keeps the routes in step with the control planes and their Services. When the API server is away, the last table stays:
 * tenants can be reached while the management cluster cannot.
 */
export class RouteWatch {
  readonly #caches: CacheSet;
  readonly #onTable: (table: RouteTable) => void;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #controlPlanes;
  readonly #services;
  #refused: ReadonlyMap<string, string> = new Map();
  #timer: Timer | undefined;
  #isReady = false;

  constructor(caches: CacheSet, { onTable, clock = systemClock, logger = silentLogger }: RouteWatchOptions) {
    this.#caches = caches;
    this.#onTable = onTable;
    this.#clock = clock;
    this.#logger = logger;
    this.#controlPlanes = caches.of(TenantControlPlane);
    this.#services = caches.of(Service, serviceScope);
  }

  /** Whether there has been a table. It stays so when the API server goes away. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Settles when the first table has been told; further ones follow until the signal aborts. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#caches.start(signal);
    if (signal.aborted) return;
    this.#publish();
    this.#isReady = true;
    const stopListening = [
      this.#controlPlanes.addHandler(() => this.#publishSoon()),
      this.#services.addHandler(() => this.#publishSoon()),
    ];
    signal.addEventListener("abort", () => {
      for (const stop of stopListening) stop();
      this.#timer?.cancel();
    });
  }

  #publishSoon(): void {
    this.#timer ??= this.#clock.after(gatherMs, () => {
      this.#timer = undefined;
      this.#publish();
    });
  }

  #publish(): void {
    const services: readonly KubeObject[] = this.#services.list();
    const table = buildRouteTable(routeClaims(this.#controlPlanes.list(), services as readonly Service[]));
    this.#onTable(table);
    for (const [uid, reason] of table.refused) {
      const tenant = table.tenants.get(uid);
      if (tenant !== undefined && this.#refused.get(uid) !== reason) {
        this.#logger.warn("hostname refused", { controlPlane: keyText(tenant), reason });
      }
    }
    this.#refused = table.refused;
  }
}
