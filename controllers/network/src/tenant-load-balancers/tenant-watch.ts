import { type KubeClient, listAll, tenantReadLimits, versionOf } from "@butler/kube";
import { keyText, type Kind, type KubeObject, type ObjectKey } from "@butler/resource";
import type { Clock } from "@butler/std";
import type { Following, TenantClients } from "@butler/tenant-clients";
import { IPAddressPool, L2Advertisement, Service } from "./kinds.ts";
import { metalLbNames, metalLbNamespace, type MetalLbView } from "./metallb.ts";
import type { TenantView } from "./observed.ts";
import { isServed } from "./services.ts";

/** A watched tenant. */
export interface WatchOptions {
  readonly tenants: Pick<TenantClients, "follow" | "clientFor" | "stateOf">;
  readonly clock: Clock;
  /** The Secret with the tenant's kubeconfig. */
  readonly kubeconfig: ObjectKey;
  /** Whether MetalLB in the tenant has to be configured. */
  readonly hasMetalLb: boolean;
  readonly onChange: () => void;
}

/** The API server leaves the field of a Service that has changed its type empty, so that others need not be seen. */
const loadBalancersOnly = { fieldSelector: "spec.type=LoadBalancer" };
const lookLimitMs = 15_000;
/** How long our own write takes precedence over the watch. */
const writeMemoryMs = 5_000;

/** The load balancers of one tenant. */
export class TenantWatch {
  readonly options: WatchOptions;
  readonly #services: Following<typeof Service>;
  readonly #pools: Following<typeof IPAddressPool> | undefined;
  readonly #advertisements: Following<typeof L2Advertisement> | undefined;
  #waitingSince = new Map<string, number>();
  readonly #written = new Map<string, { readonly object: KubeObject; readonly atMs: number }>();

  constructor(options: WatchOptions) {
    const { tenants, kubeconfig, hasMetalLb, onChange } = options;
    this.options = options;
    this.#services = tenants.follow(kubeconfig, { kind: Service, ...loadBalancersOnly, onChange });
    if (!hasMetalLb) return;
    // While its kinds are not served, these retry periodically and notify on success.
    const scope = { namespace: metalLbNamespace, onChange };
    this.#pools = tenants.follow(kubeconfig, { kind: IPAddressPool, ...scope });
    this.#advertisements = tenants.follow(kubeconfig, { kind: L2Advertisement, ...scope });
  }

  /** State from the watches; undefined if it may be incomplete. */
  read(): TenantView | undefined {
    const { tenants, kubeconfig } = this.options;
    const isKnown = this.#services.isSynced && this.#services.problem === undefined;
    if (!isKnown || tenants.stateOf(kubeconfig) === "unreachable") return undefined;
    const services = this.#services.list().map((object) => this.#latest(Service, object.metadata, object));
    return this.#viewOf(services as Service[], { metalLb: this.#readMetalLb(), isFresh: false });
  }

  /** Fresh state from the tenant: MetalLB's settings first, then the addresses of Services. */
  async look(signal: AbortSignal): Promise<TenantView> {
    const { tenants, kubeconfig } = this.options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(lookLimitMs)]);
    const client = await tenants.clientFor(kubeconfig, limit);
    const metalLb = this.#hasMetalLb ? await findMetalLb(client, limit) : undefined;
    const services: Service[] = [];
    const request = { ...loadBalancersOnly, ...tenantReadLimits, signal: limit };
    for await (const object of listAll(client, Service, request)) {
      services.push(object as KubeObject as Service);
    }
    return this.#viewOf(services, { metalLb, isFresh: true });
  }

  /** Adds the response to our own write, until the watch confirms it. */
  noteWrite(kind: Kind, object: KubeObject): void {
    this.#written.set(idOf(kind, object.metadata), { object, atMs: this.options.clock.monotonicMs() });
  }

  async stop(): Promise<void> {
    await Promise.all([this.#services.stop(), this.#pools?.stop(), this.#advertisements?.stop()]);
  }

  get #hasMetalLb(): boolean {
    return this.#pools?.isSynced === true && this.#advertisements?.isSynced === true;
  }

  #readMetalLb(): MetalLbView | undefined {
    if (!this.#hasMetalLb) return undefined;
    const at = (name: string): ObjectKey => ({ name, namespace: metalLbNamespace });
    const [pool, advertisement] = [at(metalLbNames.pool), at(metalLbNames.advertisement)];
    return {
      pool: this.#latest(IPAddressPool, pool, this.#pools?.get(pool)) as MetalLbView["pool"],
      advertisement: this.#latest(L2Advertisement, advertisement, this.#advertisements?.get(advertisement)),
    };
  }

  #viewOf(services: readonly Service[], rest: Pick<TenantView, "metalLb" | "isFresh">): TenantView {
    const now = this.options.clock.now().getTime();
    const waiting = services.filter((service) => !isServed(service)).map(({ metadata }) => metadata.uid ?? "");
    this.#waitingSince = new Map(waiting.map((uid) => [uid, this.#waitingSince.get(uid) ?? now]));
    return { services, waitingSince: this.#waitingSince, ...rest };
  }

  /** The newer of the watched and the recently written version. */
  #latest(kind: Kind, key: ObjectKey, seen: KubeObject | undefined): KubeObject | undefined {
    const id = idOf(kind, key);
    const written = this.#written.get(id);
    if (written === undefined) return seen;
    const isRecent = this.options.clock.monotonicMs() - written.atMs < writeMemoryMs;
    if (isRecent && (seen === undefined || versionOf(written.object) > versionOf(seen))) return written.object;
    this.#written.delete(id);
    return seen;
  }
}

function idOf({ plural }: Kind, key: ObjectKey): string {
  return `${plural} ${keyText(key)}`;
}

async function findMetalLb(client: KubeClient, signal: AbortSignal): Promise<MetalLbView> {
  const at = (name: string): ObjectKey => ({ name, namespace: metalLbNamespace });
  const pool = await client.find(IPAddressPool, at(metalLbNames.pool), signal);
  const advertisement = await client.find(L2Advertisement, at(metalLbNames.advertisement), signal);
  return { pool, advertisement } as MetalLbView;
}
