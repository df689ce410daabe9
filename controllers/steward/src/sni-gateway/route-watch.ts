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
  /** Called with each changed table. */
  readonly onTable: (table: RouteTable) => void;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Changes within this time are batched: a hundred tenants at startup result in one table. */
const gatherMs = 20;

/** The Services of control planes; others are not cached. */
const serviceScope: InformerScope = { labelSelector: `${componentLabel}=${serviceComponent}` };

/**
 * Updates the routes from the control planes and their Services. While the API server is unavailable, the last table
 * stays: tenants remain reachable while the management cluster is not.
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

  /** Whether a table was built. It stays true while the API server is unavailable. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Settles when the first table has been delivered; further ones follow until the signal aborts. */
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
        this.#logger.warn("hostname rejected", { controlPlane: keyText(tenant), reason });
      }
    }
    this.#refused = table.refused;
  }
}
