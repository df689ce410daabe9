import type { Counter, MetricsRegistry } from "@butler/telemetry";
import type { Reachability } from "./reachability.ts";

type State = Reachability["state"];

const states: readonly State[] = ["unknown", "reachable", "doubted", "unreachable"];

/** What is counted about the connections to all tenants. None of it is by tenant: their number has no bound. */
export class TenantMetrics {
  readonly connects: Counter;
  readonly failures: Counter;
  readonly probes: Counter;
  readonly refusals: Counter;
  readonly #tenants;
  readonly #counts = new Map<State, number>();

  constructor(registry: MetricsRegistry) {
    this.connects = registry.counter("butler_tenant_connects_total", {
      help: "Kubeconfigs of tenants taken into use, by occasion.",
      labels: ["occasion"],
    });
    this.failures = registry.counter("butler_tenant_request_failures_total", {
      help: "Requests to tenants that say something about the connection, by what it is.",
      labels: ["reason"],
    });
    this.probes = registry.counter("butler_tenant_probes_total", {
      help: "Attempts to find out whether a tenant answers, by outcome.",
      labels: ["outcome"],
    });
    this.refusals = registry.counter("butler_tenant_requests_refused_total", {
      help: "Requests that were not sent because the tenant is known not to answer.",
    });
    this.#tenants = registry.gauge("butler_tenant_connections", {
      help: "Tenants that this process is connected to, by what is known of them.",
      labels: ["state"],
    });
    for (const state of states) this.#tenants.set({ state }, 0);
  }

  /** Takes in that a tenant has come (from nothing), has gone (to nothing) or is in another state. */
  moved(from: State | undefined, to: State | undefined): void {
    for (const [state, by] of [[from, -1] as const, [to, 1] as const]) {
      if (state === undefined) continue;
      const count = (this.#counts.get(state) ?? 0) + by;
      this.#counts.set(state, count);
      this.#tenants.set({ state }, count);
    }
  }
}
