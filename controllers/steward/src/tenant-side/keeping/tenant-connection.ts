import { type Clock, Unavailable } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import type { Tenant } from "@butler/tenant-clients";
import type { ApprovalRules } from "../approval/decide-serving-request.ts";
import { RequestApprover } from "../approval/request-approver.ts";
import { ObjectReconciler } from "./object-reconciler.ts";

export interface TenantConnectionOptions {
  readonly tenant: Tenant;
  /** Closes the connections to the tenant. */
  readonly disconnect: () => Promise<void>;
  /** The current rules for certificate requests; undefined when approval is disabled. */
  readonly rules: () => ApprovalRules | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** One client of a tenant's API server, with its watches and approver. */
export class TenantConnection {
  readonly objects: ObjectReconciler;
  readonly #options: TenantConnectionOptions;
  readonly #ended = new AbortController();
  #approval: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(options: TenantConnectionOptions) {
    const { tenant, clock, logger, metrics } = options;
    this.#options = options;
    const writes = metrics.counter("butler_tenant_writes_total", {
      help: "Writes to tenant clusters, by trigger.",
      labels: ["occasion"],
    });
    this.objects = new ObjectReconciler({
      client: tenant.client,
      clock,
      logger,
      onWrite: (occasion) => writes.inc({ occasion }),
      signal: this.#ended.signal,
      onReachable: tenant.onReachable,
    });
  }

  /** Starts or stops the approval of certificate requests, according to the rules. */
  async followRules(): Promise<void> {
    const isWanted = this.#options.rules() !== undefined && !this.#ended.signal.aborted;
    if (isWanted === (this.#approval !== undefined)) return;
    if (isWanted) this.#approval = this.#startApproving();
    else await this.#stopApproving();
  }

  /** Stops everything, including requests in flight, and settles when nothing is left. */
  async close(): Promise<void> {
    this.#ended.abort(new Unavailable("the connection to the tenant has been closed"));
    await Promise.all([this.objects.stopped(), this.#stopApproving()]);
    await this.#options.disconnect();
  }

  #startApproving(): { controller: AbortController; ended: Promise<void> } {
    const { tenant, clock, logger, metrics, rules } = this.#options;
    const decisions = metrics.counter("butler_tenant_certificate_requests_total", {
      help: "Decisions on kubelet serving certificate requests, by verdict and reason.",
      labels: ["verdict", "reason"],
    });
    const controller = new AbortController();
    const approver = new RequestApprover({
      ...tenant,
      rules: () => rules() ?? {},
      clock,
      logger,
      onDecision: ({ verdict, reason }) => decisions.inc({ verdict, reason }),
    });
    return { controller, ended: approver.run(controller.signal) };
  }

  async #stopApproving(): Promise<void> {
    const approval = this.#approval;
    this.#approval = undefined;
    approval?.controller.abort();
    await approval?.ended;
  }
}
