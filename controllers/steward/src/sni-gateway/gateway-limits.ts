/** Limits and timeouts of the gateway. */
export interface GatewayLimits {
  /** Maximum connections, including those without a ClientHello yet. */
  readonly connections: number;
  /** Maximum connections of one tenant, so that it cannot starve the others. */
  readonly connectionsPerTenant: number;
  /** Maximum connections without a ClientHello; above it the oldest is closed. */
  readonly waiting: number;
  /** From the connection to the last byte of its ClientHello, however fast the bytes trickle in. */
  readonly helloTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Idle timeout of a connection; undefined disables it, because watches can be silent. */
  readonly idleTimeoutMs: number | undefined;
  /** Idle timeout of a half-closed connection. */
  readonly halfClosedTimeoutMs: number;
  /** Delay of TCP keepalive probes. */
  readonly keepAliveMs: number;
  /** How long open connections are drained when the gateway stops. */
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
