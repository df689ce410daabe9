import type { TransportOptions } from "@butler/kube";
import type { BackoffPolicy, Clock } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import type { ConnectGate } from "./connect-gate.ts";
import type { KubeconfigSource } from "./kubeconfig-source.ts";
import type { TenantMetrics } from "./tenant-metrics.ts";

/** How connections to tenants are treated. */
export interface LinkSettings {
  /** A request that has not been answered by then fails. */
  readonly requestTimeoutMs: number;
  /** A tenant that has not said by then whether it is ready does not answer. */
  readonly probeTimeoutMs: number;
  /** A kubeconfig this old is read again before a client is given out. */
  readonly recheckMs: number;
  /** How long a tenant that does not answer is left alone. */
  readonly backoff: BackoffPolicy;
}

/** What a connection to a tenant works with, and whom it tells. */
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
  /** There is no kubeconfig; whether there was one before. */
  readonly onGone: (hadOne: boolean) => void;
  /** Another kubeconfig is in use; whether it leads to another cluster. */
  readonly onReplaced: (isAnotherCluster: boolean) => void;
}
