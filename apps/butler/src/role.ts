import type { ApiClient, KubeConfig } from "@butler/kube";
import type { Logger, MetricsRegistry } from "@butler/telemetry";

/** The environment of every role. */
export interface RoleContext {
  /** A client of the cluster given by flags, or of the cluster that the process runs in. */
  readonly client: ApiClient;
  /** How the process connects to that cluster. */
  readonly config: KubeConfig;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Port of the admission server. Defaults to the one that the Service targets. */
  readonly admissionPort?: number;
}

/** An initialized role. */
export interface Role {
  /** Runs until the signal aborts. Called once. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly isReady: () => boolean;
  /** Why the role is not ready; for the response of /readyz. */
  readonly waitsFor?: () => readonly string[];
  /** Work that every process of the role does, including standby processes. */
  readonly attend?: (signal: AbortSignal) => Promise<void>;
  /** Whether that work has started. */
  readonly isAttending?: () => boolean;
}

/** Creates a role from its own arguments. Invalid arguments throw InvalidInput. */
export type StartRole = (argv: readonly string[], context: RoleContext) => Role;
