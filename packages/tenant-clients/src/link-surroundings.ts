import type { TransportOptions } from "@butler/kube";
import type { BackoffPolicy, Clock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { ConnectGate } from "./connect-gate.ts";
import type { KubeconfigSource } from "./kubeconfig-source.ts";
import type { TenantMetrics } from "./tenant-metrics.ts";

/** Timeouts of connections to tenants. */
export interface LinkSettings {
  /** The timeout of a request. */
  readonly requestTimeoutMs: number;
  /** The timeout of a readiness probe. */
  readonly probeTimeoutMs: number;
  /** The maximum age of a kubeconfig before it is read again. */
  readonly recheckMs: number;
  /** The delay between probes of an unreachable tenant. */
  readonly backoff: BackoffPolicy;
}

/** The dependencies and listeners of a connection to a tenant. */
export interface LinkSurroundings {
  readonly source: KubeconfigSource;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: TenantMetrics;
  readonly gate: ConnectGate;
  readonly settings: LinkSettings;
  readonly transport: TransportOptions;
  readonly onReachable: () => void;
  readonly onUnreachable: (cause: unknown) => void;
  /** The kubeconfig does not exist; whether it existed before. */
  readonly onGone: (hadOne: boolean) => void;
  /** Another kubeconfig is in use; whether it is for another cluster. */
  readonly onReplaced: (isAnotherCluster: boolean) => void;
}
