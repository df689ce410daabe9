import type { ObjectKey } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";

/** A tenant's load balancers in numbers. */
export interface LoadBalancerCount {
  /** Services without an address. */
  readonly waiting: number;
  readonly used: number;
  readonly free: number;
}

const addressesName = "butler_tenant_load_balancer_addresses";
const waitingName = "butler_tenant_load_balancers_waiting";

/** Metrics of tenants' load balancers; deleted with the cluster. */
export class LoadBalancerMetrics {
  readonly #registry: MetricsRegistry;
  readonly #addresses: ReturnType<MetricsRegistry["gauge"]>;
  readonly #waiting: ReturnType<MetricsRegistry["gauge"]>;

  constructor(registry: MetricsRegistry = new MetricsRegistry()) {
    this.#registry = registry;
    this.#addresses = registry.gauge(addressesName, {
      help: "Load balancer addresses of a tenant cluster, by state.",
      labels: ["namespace", "name", "state"],
    });
    this.#waiting = registry.gauge(waitingName, {
      help: "Services of type LoadBalancer without an address in a tenant cluster.",
      labels: ["namespace", "name"],
    });
  }

  note({ name, namespace = "" }: ObjectKey, { waiting, used, free }: LoadBalancerCount): void {
    this.#addresses.set({ namespace, name, state: "used" }, used);
    this.#addresses.set({ namespace, name, state: "free" }, free);
    this.#waiting.set({ namespace, name }, waiting);
  }

  forget({ name, namespace = "" }: ObjectKey): void {
    for (const state of ["used", "free"]) this.#registry.forget(addressesName, { namespace, name, state });
    this.#registry.forget(waitingName, { namespace, name });
  }
}
