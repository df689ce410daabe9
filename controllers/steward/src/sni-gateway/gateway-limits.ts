/** How much the gateway takes on, and for how long it waits. */
export interface GatewayLimits {
  /** Connections at any time, those that have not said yet where they want to go included. */
  readonly connections: number;
  /** Connections of one tenant, so that one cannot take the gateway from the others. */
  readonly connectionsPerTenant: number;
  /** Connections that have not said yet where they want to go; the one that has waited longest makes room. */
  readonly waiting: number;
  /** From the connection to the last byte of its ClientHello, however fast the bytes trickle in. */
  readonly helloTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** A connection without a byte in either direction for this long is ended; undefined lets it be. Watches are silent. */
  readonly idleTimeoutMs: number | undefined;
  /** The same once one side has said that it will send no more. */
  readonly halfClosedTimeoutMs: number;
  /** Silence after which the kernel asks whether the other side is still there. */
  readonly keepAliveMs: number;
  /** How long open connections may go on when the gateway stops. */
  readonly drainMs: number;
}

/** Limits for a gateway with two replicas and some hundred tenants. */
export const defaultLimits: GatewayLimits = {
  connections: 16_000,
  connectionsPerTenant: 4_000,
  waiting: 2_000,
  helloTimeoutMs: 5_000,
  connectTimeoutMs: 3_000,
  idleTimeoutMs: undefined,
  halfClosedTimeoutMs: 60_000,
  keepAliveMs: 30_000,
  drainMs: 20_000,
};
