import { ApiClient, type KubeClient, tenantAnswerBytes, type Transport } from "@butler/kube";
import { type Kind, keyText, type ObjectKey } from "@butler/resource";
import { type BackoffPolicy, type Clock, systemClock, type Timer, Unavailable } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { ConnectGate } from "./connect-gate.ts";
import { Following, type FollowOptions } from "./following.ts";
import type { KubeconfigSource } from "./kubeconfig-source.ts";
import type { LinkSettings, LinkSurroundings } from "./link-surroundings.ts";
import type { Reachability } from "./reachability.ts";
import type { TenantEvent, TenantListener } from "./tenant-event.ts";
import { TenantLink } from "./tenant-link.ts";
import { TenantMetrics } from "./tenant-metrics.ts";
import { TenantTransport } from "./tenant-transport.ts";

export interface TenantClientsOptions extends Partial<LinkSettings> {
  readonly source: KubeconfigSource;
  readonly clock?: Clock | undefined;
  readonly random?: () => number;
  readonly logger?: Logger | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly userAgent?: string;
  /** A tenant that has been idle for this long is dropped until the next request. */
  readonly idleMs?: number;
  /** Maximum number of concurrent first connections. */
  readonly concurrentConnects?: number;
}

/** A client of a tenant that stays valid when its connections are replaced. */
export interface Tenant {
  readonly client: KubeClient;
  readonly transport: Transport;
  /** Calls back when the tenant becomes reachable again; returns a function that unsubscribes. */
  readonly onReachable: (listener: () => void) => () => void;
}

/** The state of one tenant. */
interface KnownTenant {
  readonly link: TenantLink;
  readonly tenant: Tenant;
}

const defaultRequestTimeoutMs = 10_000;
const defaultBackoff: BackoffPolicy = { initialMs: 500, maximumMs: 30_000, factor: 2, jitter: 0.5 };

/** How long a first connect may block others. */
const patienceMs = 250;

/**
 * Connections to the API servers of all tenants of this process. Each tenant has its own: an unreachable one fails its
 * own requests, after a timeout at first and at once from then on, until a probe succeeds. A changed kubeconfig is
 * picked up, above all after the tenant rejected the former one.
 */
export class TenantClients {
  readonly #surroundings: Omit<LinkSurroundings, "onReachable" | "onUnreachable" | "onGone" | "onReplaced">;
  readonly #registry: MetricsRegistry;
  readonly #idleMs: number;
  readonly #known = new Map<string, KnownTenant>();
  readonly #followings = new Map<string, Set<Following<Kind>>>();
  readonly #listeners = new Set<TenantListener>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  #sweep: Timer | undefined;
  #isClosed = false;

  constructor(options: TenantClientsOptions) {
    const {
      source,
      clock = systemClock,
      metrics = new MetricsRegistry(),
      requestTimeoutMs = defaultRequestTimeoutMs,
    } = options;
    this.#registry = metrics;
    this.#idleMs = options.idleMs ?? 600_000;
    this.#surroundings = {
      source,
      clock,
      random: options.random ?? Math.random,
      logger: options.logger ?? silentLogger,
      metrics: new TenantMetrics(metrics),
      gate: new ConnectGate({ clock, places: options.concurrentConnects ?? 16, patienceMs }),
      settings: settingsOf(options),
      transport: {
        clock,
        metrics,
        requestTimeoutMs,
        userAgent: options.userAgent ?? "butler",
        maximumAnswerBytes: tenantAnswerBytes,
      },
    };
    this.#stopListening = source.onChange?.((key) => this.#lookAgain(key)) ?? (() => undefined);
  }

  /** A tenant's client, as soon as requests can be sent to it; rejects at once when the tenant is unreachable. */
  async clientFor(key: ObjectKey, signal: AbortSignal): Promise<KubeClient> {
    const { link, tenant } = this.#knownOf(key);
    await link.ready(signal);
    return tenant.client;
  }

  /** A client of a tenant. Nothing is read or sent yet. */
  tenant(key: ObjectKey): Tenant {
    return this.#knownOf(key).tenant;
  }

  /** The state of a tenant. */
  stateOf(key: ObjectKey): Reachability["state"] {
    return this.#known.get(keyText(key))?.link.state ?? "unknown";
  }

  /** The number of tenants with connections or connection attempts. */
  get size(): number {
    return this.#known.size;
  }

  /** Caches the objects of a kind in a tenant until it is stopped, or the tenant is deleted. */
  follow<K extends Kind>(key: ObjectKey, options: FollowOptions<K>): Following<K> {
    if (this.#isClosed) throw ended();
    const name = keyText(key);
    const { clock, logger } = this.#surroundings;
    const { client } = this.#tenantOf(key);
    const followings = this.#followings.get(name) ?? new Set();
    this.#followings.set(name, followings);
    const onStop = (): void => {
      followings.delete(following);
      if (followings.size === 0 && this.#followings.get(name) === followings) this.#followings.delete(name);
    };
    const following = new Following(options, { client, clock, logger: logger.with({ tenant: name }), onStop });
    followings.add(following);
    return following;
  }

  /** Subscribes to tenant events; returns a function that unsubscribes. */
  subscribe(listener: TenantListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops a tenant. The next request for it starts from scratch. */
  async forget(key: ObjectKey): Promise<void> {
    const name = keyText(key);
    const followings = [...(this.#followings.get(name) ?? [])];
    const known = this.#known.get(name);
    this.#known.delete(name);
    await Promise.all([...followings.map((following) => following.stop()), known?.link.close()]);
  }

  /** Closes all tenants and rejects further calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#sweep?.cancel();
    this.#listeners.clear();
    const followings = [...this.#followings.values()].flatMap((ofTenant) => [...ofTenant]);
    await Promise.all(followings.map((following) => following.stop()));
    for (const { link } of this.#known.values()) this.#drop(link);
    await Promise.all(this.#closing);
  }

  #knownOf(key: ObjectKey): KnownTenant {
    if (this.#isClosed) throw ended();
    const name = keyText(key);
    const existing = this.#known.get(name);
    if (existing !== undefined) return existing;
    const known = { link: this.#linkTo(key), tenant: this.#tenantOf(key) };
    this.#known.set(name, known);
    this.#sweepLater();
    return known;
  }

  /** It resolves the link each time, because links are replaced. */
  #tenantOf(key: ObjectKey): Tenant {
    const name = keyText(key);
    const transport = new TenantTransport(() => this.#knownOf(key).link, this.#registry);
    const onReachable: Tenant["onReachable"] = (listener) =>
      this.subscribe((event) => event.type === "reachable" && keyText(event.key) === name && listener());
    return { client: new ApiClient(transport), transport, onReachable };
  }

  #linkTo(key: ObjectKey): TenantLink {
    const link: TenantLink = new TenantLink(key, {
      ...this.#surroundings,
      onReachable: () => this.#tell({ type: "reachable", key }),
      onUnreachable: (cause) => this.#tell({ type: "unreachable", key, cause }),
      onReplaced: (isAnotherCluster) => this.#tell({ type: "replaced", key, isAnotherCluster }),
      onGone: (hadOne) => {
        this.#drop(link);
        // A missing kubeconfig is not an event: a notified listener might ask again, and be notified again.
        if (hadOne) this.#tell({ type: "gone", key });
      },
    });
    return link;
  }

  #lookAgain(key: ObjectKey): void {
    const name = keyText(key);
    const known = this.#known.get(name);
    if (known !== undefined) void known.link.lookAgain();
    // Followers of a tenant that had no kubeconfig need not wait for its next attempt.
    for (const following of this.#followings.get(name) ?? []) following.hurry();
  }

  #tell(event: TenantEvent): void {
    for (const following of this.#followings.get(keyText(event.key)) ?? []) following.note(event);
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        // A failing listener must not block the others.
        this.#surroundings.logger.error("listener failed", { tenant: keyText(event.key), event: event.type, error });
      }
    }
  }

  #drop(link: TenantLink): void {
    const name = keyText(link.key);
    if (this.#known.get(name)?.link === link) this.#known.delete(name);
    const closing = link.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #sweepLater(): void {
    this.#sweep ??= this.#surroundings.clock.after(this.#idleMs / 2, () => {
      this.#sweep = undefined;
      for (const [name, { link }] of this.#known) {
        // A listener may rely on being notified when an unreachable tenant becomes reachable.
        const isNeeded = this.#followings.has(name) || link.state === "unreachable" || link.state === "doubted";
        if (!isNeeded && link.idleMs >= this.#idleMs) this.#drop(link);
      }
      if (this.#known.size > 0) this.#sweepLater();
    });
  }
}

function ended(): Unavailable {
  return new Unavailable("connections to tenants are closed: the process is shutting down");
}

function settingsOf({ source, ...given }: TenantClientsOptions): LinkSettings {
  return {
    requestTimeoutMs: given.requestTimeoutMs ?? defaultRequestTimeoutMs,
    probeTimeoutMs: given.probeTimeoutMs ?? 5_000,
    recheckMs: given.recheckMs ?? (source.onChange === undefined ? 30_000 : Number.POSITIVE_INFINITY),
    backoff: given.backoff ?? defaultBackoff,
  };
}
