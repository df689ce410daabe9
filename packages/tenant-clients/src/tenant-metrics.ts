import type { Counter, MetricsRegistry } from "@butler/telemetry";
import type { Reachability } from "./reachability.ts";

type State = Reachability["state"];

const states: readonly State[] = ["unknown", "reachable", "doubted", "unreachable"];

/** Metrics of the connections to all tenants. None has a tenant label: their number is unbounded. */
export class TenantMetrics {
  readonly connects: Counter;
  readonly failures: Counter;
  readonly probes: Counter;
  readonly refusals: Counter;
  readonly #tenants;
  readonly #counts = new Map<State, number>();

  constructor(registry: MetricsRegistry) {
    this.connects = registry.counter("butler_tenant_connects_total", {
      help: "Tenant kubeconfigs loaded, by trigger.",
      labels: ["occasion"],
    });
    this.failures = registry.counter("butler_tenant_request_failures_total", {
      help: "Failed tenant requests, by reason.",
      labels: ["reason"],
    });
    this.probes = registry.counter("butler_tenant_probes_total", {
      help: "Readiness probes of tenants, by outcome.",
      labels: ["outcome"],
    });
    this.refusals = registry.counter("butler_tenant_requests_refused_total", {
      help: "Requests not sent because the tenant is unreachable.",
    });
    this.#tenants = registry.gauge("butler_tenant_connections", {
      help: "Tenants that this process connects to, by state.",
      labels: ["state"],
    });
    for (const state of states) this.#tenants.set({ state }, 0);
  }

  /** Counts that a tenant was added (from nothing), removed (to nothing) or changed its state. */
  moved(from: State | undefined, to: State | undefined): void {
    for (const [state, by] of [[from, -1] as const, [to, 1] as const]) {
      if (state === undefined) continue;
      const count = (this.#counts.get(state) ?? 0) + by;
      this.#counts.set(state, count);
      this.#tenants.set({ state }, count);
    }
  }
}
