import { readTenantKubeconfig } from "@butler/kube";
import type { KubeObject } from "@butler/resource";
import { type Clock, parseIpRange, systemClock, Unavailable } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { GivenKubeconfigs, TenantClients } from "@butler/tenant-clients";
import type { ApprovalRules } from "../approval/decide-serving-request.ts";
import { TenantConnection } from "./tenant-connection.ts";

/** A tenant and the desired objects of its cluster. */
export interface TenantSide extends ApprovalRules {
  /** The key of the tenant; its UID is best, since a name can be reused. */
  readonly key: string;
  /** A kubeconfig with administrator permissions. */
  readonly kubeconfig: string;
  /** As returned by `tenantObjects`. */
  readonly objects: readonly KubeObject[];
  /** Whether to approve kubelet serving certificate requests; true by default. */
  readonly decidesRequests?: boolean | undefined;
}

export interface TenantSidesOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** The timeout of one request to a tenant's API server. */
  readonly requestTimeoutMs?: number;
}

/** The state of one tenant. */
interface Held {
  tenant: TenantSide;
  connection: TenantConnection | undefined;
  /** The end of the current work on the tenant; the next work waits for it. */
  turn: Promise<unknown>;
}

/**
 * The inner side of all tenants of this process. Each tenant has a client, watches and a queue of its own: one that does
 * not answer fails its own calls, after their time limit or at once when that is known, and nothing else.
 */
export class TenantSides {
  readonly #options: Required<Omit<TenantSidesOptions, "requestTimeoutMs">>;
  readonly #kubeconfigs = new GivenKubeconfigs();
  readonly #clients: TenantClients;
  readonly #held = new Map<string, Held>();
  #connected = 0;
  #isClosed = false;

  constructor(options: TenantSidesOptions = {}) {
    this.#options = {
      clock: options.clock ?? systemClock,
      logger: options.logger ?? silentLogger,
      metrics: options.metrics ?? new MetricsRegistry(),
    };
    this.#clients = new TenantClients({
      ...this.#options,
      source: this.#kubeconfigs,
      requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
      userAgent: "butler-steward",
    });
  }

  /**
   * Reconciles the given objects in a tenant until `forget`. Returns the number of changes; a call without changes
   * sends no request.
   */
  async keep(tenant: TenantSide, signal: AbortSignal): Promise<{ applied: number }> {
    if (this.#isClosed) throw new Unavailable("cannot reconcile tenants: the process is shutting down");
    // Rejected before anything changes.
    [...(tenant.allowedSubnets ?? []), ...(tenant.serviceCidr === undefined ? [] : [tenant.serviceCidr])].map(
      parseIpRange,
    );
    const held = this.#held.get(tenant.key) ?? { tenant, connection: undefined, turn: Promise.resolve() };
    this.#held.set(tenant.key, held);
    const turn = held.turn.then(async () => {
      signal.throwIfAborted();
      if (this.#held.get(tenant.key) !== held) throw new Unavailable(`tenant ${tenant.key} is no longer managed`);
      const connection = await this.#connectionFor(held, tenant);
      await connection.followRules();
      return { applied: await connection.objects.keep(tenant.objects, signal) };
    });
    held.turn = turn.catch(() => undefined);
    return turn;
  }

  /** Ends everything about a tenant; its objects stay as they are. */
  async forget(key: string): Promise<void> {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    await disconnect(held);
    // Connections that were being opened are open by now.
    await held.turn;
    await disconnect(held);
  }

  /** Forgets all tenants and takes no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#held.keys()].map((key) => this.forget(key)));
    await this.#clients.close();
  }

  /** How many entries about objects are held in memory. */
  get size(): number {
    return [...this.#held.values()].reduce((sum, { connection }) => sum + (connection?.objects.size ?? 0), 0);
  }

  async #connectionFor(held: Held, tenant: TenantSide): Promise<TenantConnection> {
    if (held.connection !== undefined && held.tenant.kubeconfig === tenant.kubeconfig) {
      held.tenant = tenant;
      return held.connection;
    }
    // Refused before the former one ends.
    readTenantKubeconfig(tenant.kubeconfig);
    const { clock, logger, metrics } = this.#options;
    // What ran over the former connection must not go on over this one while it ends.
    const key = { name: `${tenant.key}.${++this.#connected}` };
    this.#kubeconfigs.set(key, tenant.kubeconfig);
    const connection = new TenantConnection({
      tenant: this.#clients.tenant(key),
      disconnect: async () => {
        await this.#clients.forget(key);
        this.#kubeconfigs.set(key, undefined);
      },
      rules: () => (held.tenant.decidesRequests === false ? undefined : held.tenant),
      clock,
      logger: logger.with({ tenant: tenant.key }),
      metrics,
    });
    const former = held.connection;
    held.tenant = tenant;
    held.connection = connection;
    await former?.close();
    return connection;
  }
}

async function disconnect(held: Held): Promise<void> {
  const { connection } = held;
  held.connection = undefined;
  await connection?.close();
}
