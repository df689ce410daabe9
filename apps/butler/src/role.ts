import type { ApiClient, KubeConfig } from "@butler/kube";
import type { Logger, MetricsRegistry } from "@butler/telemetry";

/** What every role has around it. */
export interface RoleWorld {
  /** Of the cluster that the process was pointed at, or that it runs in. */
  readonly client: ApiClient;
  /** How the process gets to that cluster. */
  readonly config: KubeConfig;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** A role that is ready to run. */
export interface Role {
  /** Does all the work and ends when the signal aborts. Called once. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly isReady: () => boolean;
  /** What every process of the role does, also one that waits for its turn. */
  readonly attend?: (signal: AbortSignal) => Promise<void>;
  /** Whether that has begun. */
  readonly isAttending?: () => boolean;
}

/** Makes a role from its own arguments. Bad arguments throw InvalidInput. */
export type StartRole = (argv: readonly string[], world: RoleWorld) => Role;
